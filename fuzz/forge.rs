//! Forges headers of tables: every field in several ways, sections moved, dropped and repeated, all
//! with good checksums. So the checks behind the checksums are met.

#![allow(dead_code, reason = "each user of it needs a part")]

use std::ops::Range;

#[allow(clippy::duplicate_mod, reason = "tests use it in both files")]
#[path = "seal.rs"]
mod seal;

/// A field of a header.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in `docs/develop/format.md`, or a part of it.
    pub name: &'static str,
    /// The section or side that it belongs to.
    pub part: usize,
    /// Its bytes in the header.
    pub range: Range<usize>,
}

/// A header whose fields are known.
pub struct Header {
    version: u32,
    start: usize,
    bytes: Vec<u8>,
    fields: Vec<Field>,
}

/// A forged file.
pub struct Forgery {
    /// The change.
    pub what: String,
    /// The file, with good checksums of preamble and header.
    pub bytes: Vec<u8>,
    /// True if the header says something else about the values of cells, and agrees with itself: the
    /// file is then a table with other values, as any file with other blocks is.
    pub states_other_values: bool,
}

/// The header of a whole distance table or verdict table.
pub fn header(file: &[u8]) -> Header {
    let number = |at: usize, bytes: usize| number(&file[at..at + bytes]);
    let start = number(24, 8);
    let mut header = Header {
        version: number(8, 4) as u32,
        start,
        bytes: file[start..].to_vec(),
        fields: Vec::new(),
    };
    match file[3] {
        b'V' => header.parse_verdicts(),
        _ => header.parse_distances(),
    }
    let end = header.fields.last().map_or(0, |field| field.range.end);
    assert_eq!(end, header.bytes.len(), "every byte belongs to a field");
    header
}

fn number(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rev()
        .fold(0, |n, &byte| n << 8 | usize::from(byte))
}

impl Header {
    /// Adds the next field. Returns its value.
    fn field(&mut self, name: &'static str, part: usize, bytes: usize) -> usize {
        let start = self.fields.last().map_or(0, |field| field.range.end);
        let range = start..start + bytes;
        self.fields.push(Field {
            name,
            part,
            range: range.clone(),
        });
        number(&self.bytes[range])
    }

    fn common(&mut self, rule_sets_since: u32) {
        self.field("revision", 0, 4);
        let name = self.field("length of the name", 0, 1);
        self.field("name", 0, name);
        if self.version >= rule_sets_since {
            self.field("rule sets", 0, 1);
        }
    }

    fn parse_distances(&mut self) {
        self.common(6);
        for part in 0..self.field("number of sections", 0, 1) {
            for name in ["metric", "rule set", "side", "symmetry"] {
                self.field(name, part, 1);
            }
            let order = self.field("length of the order", part, 1);
            self.field("order", part, order);
            self.field("cells", part, 8);
            self.field("cells per block", part, 4);
            self.field("packing", part, 1);
            self.field("offset", part, 8);
            self.field("length of the model", part, 4);
            self.field("checksum of the model", part, 4);
            self.field("offset of the index", part, 8);
            for _ in 0..self.field("number of codes", part, 4) {
                self.field("kind of a code", part, 1);
                self.field("moves of a code", part, 2);
            }
            for _ in 0..2 {
                self.field("draws", part, 8);
                for _ in 0..2 {
                    for _ in 0..self.field("number of wins", part, 4) {
                        self.field("wins", part, 8);
                    }
                }
                for _ in 0..2 {
                    for _ in 0..self.field("number of examples", part, 4) {
                        let men = self.field("length of an example", part, 1);
                        self.field("example", part, men);
                    }
                }
            }
        }
    }

    fn parse_verdicts(&mut self) {
        self.common(4);
        for _ in 0..30 {
            self.field("positions", 0, 8);
        }
        for part in 0..self.field("number of sides", 0, 1) {
            self.field("winner", part, 1);
            let order = self.field("length of the order", part, 1);
            self.field("order", part, order);
            self.field("planes per block", part, 1);
            for _ in 0..4 {
                let kind = self.field("kind of a set", part, 1);
                self.field("parent", part, 1);
                if kind == 2 {
                    self.field("reference", part, 1);
                    self.field("guide", part, 1);
                    self.field("length of a length", part, 1);
                    self.field("offset of a model", part, 8);
                    self.field("length of a model", part, 4);
                    self.field("checksum of a model", part, 4);
                }
            }
            self.field("offset of the index", part, 8);
        }
    }

    /// The bytes of a section or side.
    fn part(&self, part: usize) -> Range<usize> {
        let first = |name: &str| name == "metric" || name == "winner";
        let mut fields = self.fields.iter();
        let start = fields.position(|field| first(field.name) && field.part == part);
        let start = start.expect("a part");
        let all = &self.fields[start..];
        let end = all.iter().skip(1).position(|field| first(field.name));
        let end = end.map_or(self.bytes.len(), |end| all[1 + end].range.start);
        all[0].range.start..end
    }

    fn parts(&self) -> usize {
        let first = |field: &&Field| field.name == "metric" || field.name == "winner";
        self.fields.iter().filter(first).count()
    }

    fn named(&self, name: &str, part: usize) -> Option<&Field> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.name == name && field.part == part)
    }

    /// The header with its parts in the order of `parts`.
    fn with_parts(&self, parts: &[usize]) -> Vec<u8> {
        let mut header = self.bytes[..self.part(0).start].to_vec();
        *header.last_mut().expect("a number of parts") = parts.len() as u8;
        for &part in parts {
            header.extend_from_slice(&self.bytes[self.part(part)]);
        }
        header
    }

    /// The file with another version and header.
    fn file(&self, whole: &[u8], version: u32, header: &[u8]) -> Vec<u8> {
        let mut bytes = whole[..self.start].to_vec();
        bytes.extend_from_slice(header);
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        bytes[32..36].copy_from_slice(&(header.len() as u32).to_le_bytes());
        seal::reseal(&mut bytes);
        bytes
    }
}

/// The values of a field that are tried in place of `old`.
fn values(old: usize, bytes: usize) -> Vec<usize> {
    let most = if bytes >= 8 {
        usize::MAX
    } else {
        (1 << (8 * bytes)) - 1
    };
    let tried = [
        0,
        1,
        2,
        3,
        old.wrapping_add(1) & most,
        old.wrapping_sub(1) & most,
        old ^ 1,
        (old * 2) & most,
        old / 2,
        most / 2,
        most / 2 + 1,
        most,
        (1 << 20) & most,
    ];
    let mut all: Vec<usize> = tried.into_iter().filter(|&value| value != old).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The description of a change, the version, the header, and [`Forgery::states_other_values`].
type Change = (String, u32, Vec<u8>, bool);

/// All forgeries of a whole table's header. Of the fields of the statistics, which are many, only
/// every `statistics`-th is changed.
pub fn forgeries(file: &[u8], statistics: usize) -> impl Iterator<Item = Forgery> + '_ {
    let header = header(file);
    let mut all: Vec<Change> = Vec::new();
    let (mut skipped, parts) = (0, header.parts());
    for Field { name, part, range } in &header.fields {
        if ["wins", "example", "length of an example", "positions"].contains(name) {
            skipped += 1;
            if skipped % statistics != 0 {
                continue;
            }
        }
        let whole = match range.len() {
            1 | 2 | 4 | 8 => vec![range.clone()],
            _ => Vec::new(),
        };
        let single = range.clone().map(|at| at..at + 1);
        for range in whole.into_iter().chain(single) {
            let old = number(&header.bytes[range.clone()]);
            for value in values(old, range.len()) {
                let mut bytes = header.bytes.clone();
                bytes[range.clone()].copy_from_slice(&value.to_le_bytes()[..range.len()]);
                let what = format!("{name} of {part}: {old} -> {value} at {range:?}");
                all.push((what, header.version, bytes, is_about_values(name)));
            }
        }
    }
    let order: Vec<usize> = (0..parts).collect();
    let mut orders = Vec::new();
    for a in 0..parts {
        orders.push((
            format!("without part {a}"),
            [&order[..a], &order[a + 1..]].concat(),
        ));
        orders.push((format!("part {a} twice"), [&order[..], &[a]].concat()));
        orders.push((format!("only part {a}"), vec![a]));
        for b in 0..a {
            let mut swapped = order.clone();
            swapped.swap(a, b);
            orders.push((format!("parts {b} and {a} swapped"), swapped));
            for name in ["metric", "rule set", "side", "winner", "codes"] {
                let (Some(a), Some(b)) = (header.named(name, a), header.named(name, b)) else {
                    continue;
                };
                let mut bytes = header.bytes.clone();
                bytes.swap(a.range.start, b.range.start);
                let what = format!("{name} of {} and {} swapped", a.part, b.part);
                // Two distances to honor may pass for those of each other's rule sets.
                all.push((what, header.version, bytes, name == "rule set"));
            }
        }
    }
    orders.push(("no parts".to_string(), Vec::new()));
    orders.push(("part 0 255 times".to_string(), vec![0; 255]));
    for (what, order) in orders {
        all.push((what, header.version, header.with_parts(&order), false));
    }
    for version in 0..9 {
        all.push((
            format!("version {version}"),
            version,
            header.bytes.clone(),
            false,
        ));
    }
    // One file at a time, since together they take gigabytes.
    let forge = move |(what, version, bytes, states_other_values): Change| Forgery {
        what,
        bytes: header.file(file, version, &bytes),
        states_other_values,
    };
    let forged = all.into_iter().map(forge);
    forged.filter(move |forged| forged.bytes != file)
}

/// True if a field says for which rule sets or values the cells stand, or how they are decoded. A
/// verdict table's blocks are checked against the last three only where they are decoded to the end.
fn is_about_values(name: &str) -> bool {
    let decoded_by = ["parent", "reference", "guide"];
    ["rule sets", "order"].contains(&name) || decoded_by.contains(&name)
}
