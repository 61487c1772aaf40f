//! Checks whether a file is the WebAssembly reader of the static page.

/// The names of the exports that the page uses: the memory and the functions that it calls.
const EXPORTS: [&[u8]; 7] = [
    b"memory",
    b"input",
    b"output",
    b"output_length",
    b"add",
    b"give",
    b"ask",
];
/// The first bytes of every WebAssembly module: a magic number and the version.
const HEADER: &[u8] = b"\0asm\x01\0\0\0";
/// The identifier of the export section in a WebAssembly module.
const EXPORT_SECTION: u8 = 7;

/// True if the bytes are a WebAssembly module with all exports that the page uses. The code is not
/// checked.
pub fn is_reader(module: &[u8]) -> bool {
    let names = exports(module).unwrap_or_default();
    EXPORTS.iter().all(|name| names.contains(name))
}

/// The names that a module exports. None if the module is incomplete.
fn exports(module: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = module.strip_prefix(HEADER)?;
    let mut names = Vec::new();
    while let [section, after @ ..] = rest {
        rest = after;
        let length = number(&mut rest)?;
        let mut content = take(&mut rest, length)?;
        if *section != EXPORT_SECTION {
            continue;
        }
        for _ in 0..number(&mut content)? {
            let length = number(&mut content)?;
            names.push(take(&mut content, length)?);
            // Skips the kind and the index of the export.
            take(&mut content, 1)?;
            number(&mut content)?;
        }
    }
    Some(names)
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

/// Parses a LEB128 number of at most 32 bits.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let mut value = 0;
    for shift in (0..32).step_by(7) {
        let [byte] = take(bytes, 1)? else { return None };
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a module that contains only exports with these names.
    fn module(names: &[&[u8]]) -> Vec<u8> {
        let mut section = vec![names.len() as u8];
        for name in names {
            section.push(name.len() as u8);
            section.extend_from_slice(name);
            section.extend([0, 0]);
        }
        let mut module = HEADER.to_vec();
        module.extend([EXPORT_SECTION, section.len() as u8]);
        module.extend(section);
        module
    }

    #[test]
    fn a_reader_has_all_that_the_page_calls() {
        let whole = module(&EXPORTS);
        assert!(is_reader(&whole));
        for left_out in 0..EXPORTS.len() {
            let mut names = EXPORTS.to_vec();
            names.remove(left_out);
            assert!(!is_reader(&module(&names)), "without export {left_out}");
        }
        for length in 0..whole.len() {
            assert!(!is_reader(&whole[..length]), "cut to {length} bytes");
        }
        assert!(!is_reader(&[HEADER, &[0xff; 20]].concat()));
    }
}
