//! Guarantees for table files: what was written is read back, any damage is noticed, and only a
//! complete table appears under its name.

use std::fs;
use std::path::Path;

use crate::making::make;
use crate::plain::{info, noise, smooth};
use proptest::prelude::*;
use sakmak::directory::{Manifest, ManifestEntry};
use sakmak::material::CanonicalMaterial;
use sakmak::remedy::Remedy;
use sakmak::rules::RuleSet;
use sakmak::table::{
    Access, Block, CellSource, DecodedCells, Decoder, ILLEGAL, Metric, SectionInfo, Table,
    TableError, TableErrorKind, TableFile, TableKind, TableWriter, VERSION, WriteOptions,
    remove_leftovers,
};

type Kind = TableErrorKind;

const QUIET: &(dyn Fn(u64) + Sync) = &|_| {};

fn material(name: &str) -> CanonicalMaterial {
    name.parse().unwrap()
}

fn options(block_cells: u32) -> WriteOptions {
    WriteOptions {
        block_cells,
        level: 3,
        ..WriteOptions::default()
    }
}

/// The bytes of the file with these sections.
fn file(sections: &[(SectionInfo, Vec<u16>)], options: &WriteOptions) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KSMvK.skm");
    let mut writer = TableWriter::create(&path, material("KSMvK"), options.clone()).unwrap();
    for (info, cells) in sections {
        writer.add_section(info.clone(), cells, QUIET).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let file = fs::read(&path).unwrap();
    assert_eq!(bytes, file.len() as u64);
    file
}

/// Reads everything that can be read.
fn read_all(bytes: &[u8]) -> Result<(), TableError> {
    let table = Table::new(bytes)?;
    let (mut decoder, mut block) = (Decoder::new(), Block::new());
    for section in table.sections() {
        for number in 0..section.header().blocks() {
            section.read_block(number, &mut decoder, &mut block)?;
        }
        if section.header().cells < 1 << 20 {
            section.decode_all(QUIET)?;
        }
    }
    Ok(())
}

/// Asserts that every legal cell is read back, block by block, cell by cell and all at once.
fn assert_same(bytes: &[u8], number: usize, written: &[u16]) {
    let table = Table::new(bytes).unwrap();
    table.check(QUIET).unwrap();
    let section = table.sections().nth(number).unwrap();
    let info = &section.header().info;
    assert_eq!(section.header().cells, written.len() as u64);
    let all = section.decode_all(QUIET).unwrap();
    assert_eq!(all.len(), written.len());
    // Every second block.
    let block_cells = u64::from(section.header().block_cells);
    let is_wanted = |cell: u64| cell / block_cells % 2 == 1;
    let some = section.decode_some(&|cells| is_wanted(cells.start), QUIET);
    let some = some.unwrap();
    for cell in 0..all.len() {
        let expected = all.get(cell).filter(|_| is_wanted(cell as u64));
        assert_eq!(some.get(cell), expected.or(Some(0)));
    }
    let (mut decoder, mut block) = (Decoder::new(), Block::new());
    let mut read = Vec::new();
    for number in 0..section.header().blocks() {
        section
            .read_block(number, &mut decoder, &mut block)
            .unwrap();
        read.extend((0..block.len()).map(|i| block.get(i).unwrap()));
        assert_eq!(block.get(block.len()), None);
    }
    assert_eq!(read.len(), written.len());
    for (i, (&read, &written)) in read.iter().zip(written).enumerate() {
        assert!(usize::from(read) < info.codes.len());
        assert_eq!(all.get(i), Some(read));
        assert!(written == ILLEGAL || written == read, "cell {i}");
    }
    for cell in (0..written.len()).step_by(written.len() / 10 + 1) {
        let code = section.code(cell as u64).unwrap();
        assert_eq!(code, info.codes[usize::from(read[cell])]);
    }
}

/// Cells with a number of codes, some of them holes, in runs of some length.
fn cells() -> impl Strategy<Value = (u16, Vec<u16>)> {
    let codes = prop_oneof![1u16..10, 250u16..260, Just(300), Just(65_534)];
    codes.prop_flat_map(|codes| {
        let cell = prop_oneof![4 => 0..codes, 1 => Just(ILLEGAL)];
        let run = (cell, 1usize..20);
        let cells = prop::collection::vec(run, 0..200).prop_map(|runs| {
            runs.into_iter()
                .flat_map(|(cell, n)| std::iter::repeat_n(cell, n))
                .collect::<Vec<_>>()
        });
        (Just(codes), cells)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_comes_back(
        (a_codes, a) in cells(),
        (b_codes, b) in cells(),
        block_cells in prop_oneof![1u32..70, Just(1 << 15)],
    ) {
        let sections = [(info(a_codes), a), (info(b_codes), b)];
        let bytes = file(&sections, &options(block_cells));
        for (number, (_, cells)) in sections.iter().enumerate() {
            assert_same(&bytes, number, cells);
        }
    }

    #[test]
    fn arbitrary_bytes_are_refused_and_never_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..300)
    ) {
        prop_assert!(read_all(&bytes).is_err());
    }
}

#[test]
fn the_header_says_what_the_writer_was_told() {
    let mut dth = info(300);
    dth.metric = Metric::Dth(RuleSet::Ouk);
    let sections = [(info(20), smooth(1000, 20)), (dth.clone(), noise(500, 300))];
    let bytes = file(&sections, &options(64));
    let table = Table::new(&bytes).unwrap();
    assert_eq!(table.material(), material("KSMvK"));
    assert_eq!(table.sections().len(), 2);
    let section = table.section(Metric::Dth(RuleSet::Ouk)).unwrap();
    assert_eq!(section.number(), 1);
    assert_eq!(section.header().info, dth);
    assert_eq!(section.block_of(130), (2, 2));
    assert!(table.section(Metric::Dth(RuleSet::Asean)).is_none());
}

#[test]
fn a_table_read_by_map_and_by_plain_reading_is_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KSMvK.skm");
    let cells = smooth(100_000, 40);
    fs::write(&path, file(&[(info(40), cells.clone())], &options(4096))).unwrap();
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        let table = TableFile::open(&path, access).unwrap();
        assert_eq!(table.material(), material("KSMvK"));
        let section = table.section(Metric::Dtm).unwrap();
        let decoded = section.decode_all(QUIET).unwrap();
        assert!(matches!(&decoded, DecodedCells::Bytes(bytes) if bytes.len() == cells.len()));
        let legal = cells.iter().position(|&cell| cell != ILLEGAL).unwrap();
        assert_eq!(decoded.get(legal), Some(cells[legal]));
    }
}

#[test]
fn the_bytes_are_the_same_with_any_number_of_threads() {
    // More blocks than a batch has, and cells of both widths.
    let options = options(256);
    let sections = [
        (info(40), smooth(300_000, 40)),
        (info(400), smooth(300_000, 400)),
    ];
    let with = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(|| file(&sections, &options))
    };
    let one = with(1);
    for threads in [2, 3] {
        assert!(with(threads) == one, "{threads} threads");
    }
    for (number, (_, cells)) in sections.iter().enumerate() {
        assert_same(&one, number, cells);
    }
}

#[test]
fn blocks_of_equal_cells_cost_almost_nothing() {
    let one = file(&[(info(300), vec![299; 1 << 20])], &options(1 << 12));
    let none = file(&[(info(300), vec![])], &options(1 << 12));
    // Two bytes for each block, seven in the index, and eight for every 32 blocks.
    assert_eq!(one.len() - none.len(), 256 * (2 + 7) + 8 * 8);
    assert_same(&one, 0, &vec![299; 1 << 20]);
}

#[test]
fn cells_that_do_not_compress_cost_no_more_than_themselves() {
    let cells = noise(1 << 16, 256);
    let one = file(&[(info(256), cells.clone())], &options(1 << 12));
    let none = file(&[(info(256), vec![])], &options(1 << 12));
    assert_eq!(one.len() - none.len(), (1 << 16) + 16 * 7 + 8);
    assert_same(&one, 0, &cells);
}

#[test]
fn progress_ends_at_the_number_of_cells() {
    let cells = smooth(50_000, 40);
    let furthest = std::sync::atomic::AtomicU64::new(0);
    let progress = |cells| {
        furthest.fetch_max(cells, std::sync::atomic::Ordering::Relaxed);
    };
    let bytes = {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("KSMvK.skm");
        let mut writer = TableWriter::create(&path, material("KSMvK"), options(1000)).unwrap();
        writer.add_section(info(40), &cells, &progress).unwrap();
        writer.finish().unwrap();
        fs::read(&path).unwrap()
    };
    assert_eq!(
        furthest.swap(0, std::sync::atomic::Ordering::Relaxed),
        50_000
    );
    let table = Table::new(&bytes).unwrap();
    table.check(&progress).unwrap();
    assert_eq!(
        furthest.swap(0, std::sync::atomic::Ordering::Relaxed),
        50_000
    );
    let section = table.section(Metric::Dtm).unwrap();
    section.decode_all(&progress).unwrap();
    assert_eq!(furthest.into_inner(), 50_000);
}

/// A small file with everything in it: compressed blocks, raw blocks, blocks of equal cells, and
/// cells of both widths.
fn small() -> Vec<u8> {
    let mut cells = noise(300, 9);
    cells.extend(smooth(70_000, 9));
    cells.extend([3; 400]);
    let sections = [(info(9), cells), (info(300), noise(100, 300))];
    let bytes = file(&sections, &options(64));
    Table::new(&bytes).unwrap().check(QUIET).unwrap();
    bytes
}

#[test]
fn every_flipped_byte_is_noticed() {
    let good = small();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let check = |first: usize| {
        let mut bytes = good.clone();
        for i in (first..good.len()).step_by(threads) {
            // One bit in each byte; every bit in the first part of the header.
            let flips = if i < 64 { 0..8 } else { i % 8..i % 8 + 1 };
            for bit in flips {
                bytes[i] ^= 1 << bit;
                let noticed = Table::new(&bytes[..]).and_then(|table| table.check(QUIET));
                assert!(noticed.is_err(), "byte {i}, bit {bit}");
                bytes[i] = good[i];
            }
        }
    };
    std::thread::scope(|scope| {
        for first in 0..threads {
            let check = &check;
            scope.spawn(move || check(first));
        }
    });
}

#[test]
fn every_truncation_is_noticed_on_opening() {
    let good = small();
    for n in 0..good.len() {
        let error = Table::new(&good[..n]).unwrap_err();
        assert!(
            matches!(error.kind(), Kind::Truncated { found, .. } if *found == n as u64),
            "{n} bytes: {error}"
        );
    }
    let longer = [&good[..], &[0]].concat();
    let error = Table::new(&longer).unwrap_err();
    assert!(matches!(error.kind(), Kind::TooLong { .. }), "{error}");
}

#[test]
fn damaged_bytes_never_make_a_reader_panic() {
    let good = small();
    let table = Table::new(&good[..]).unwrap();
    let header = table.section(Metric::Dtm).unwrap().header().clone();
    assert!(header.blocks() > 1000);
    drop(table);
    let places = noise(40_000, 60_000);
    for mutation in places.chunks(8) {
        let mut bytes = good.clone();
        // Mostly near the end, where the header is, since it is the most complex part.
        for place in mutation.chunks(2) {
            let end = bytes.len();
            let within = if place[1] % 2 == 0 {
                end
            } else {
                end.min(2000)
            };
            let i = end - 1 - usize::from(place[0]) % within;
            bytes[i] = place[1] as u8;
        }
        reseal(&mut bytes);
        let _ = read_all(&bytes);
        let _ = Table::new(&bytes[..]).and_then(|table| table.check(QUIET));
    }
}

/// Corrects the checksums of preamble and header, so that their contents are believed.
fn reseal(bytes: &mut [u8]) {
    let header = u64::from_le_bytes(bytes[24..32].try_into().unwrap());
    if let Some(header) = usize::try_from(header).ok().and_then(|at| bytes.get(at..)) {
        let crc = crc32c::crc32c(header);
        bytes[36..40].copy_from_slice(&crc.to_le_bytes());
    }
    for (from, to) in [(0, 12), (0, 60)] {
        let crc = crc32c::crc32c(&bytes[from..to]);
        bytes[to..to + 4].copy_from_slice(&crc.to_le_bytes());
    }
}

/// Asserts that a golden file has these sections.
fn assert_has(file: &str, sections: &[(SectionInfo, Vec<u16>)]) {
    let bytes = &fs::read(file).unwrap()[..];
    let table = Table::new(bytes).unwrap();
    assert_eq!(table.material(), material("KSMvK"));
    assert_eq!(table.sections().len(), sections.len());
    for (number, (info, cells)) in sections.iter().enumerate() {
        assert_same(bytes, number, cells);
        assert_eq!(table.sections().nth(number).unwrap().header().info, *info);
    }
}

#[test]
fn a_file_of_format_3_can_still_be_read() {
    assert_has("tests/golden/format-3.skm", &crate::plain::sections());
}

/// Not a test: `cargo test --test table -- --ignored` writes the file again, needed only for a new
/// format version.
#[test]
#[ignore = "writes the golden file"]
fn write_the_golden_file() {
    fs::create_dir_all("tests/golden").unwrap();
    let sections = file(&crate::plain::sections(), &options(256));
    fs::write("tests/golden/format-3.skm", sections).unwrap();
}

#[test]
fn a_table_of_a_later_format_asks_for_an_update() {
    let mut bytes = small();
    let later = VERSION + 1;
    bytes[8] = later as u8;
    let error = Table::new(&bytes[..]).unwrap_err();
    assert!(
        matches!(error.kind(), Kind::HeaderCorrupt { .. }),
        "{error}"
    );
    reseal(&mut bytes);
    let error = Table::new(&bytes[..]).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            Kind::Version {
                found,
                supported: VERSION
            } if *found == later
        ),
        "{error}"
    );
    let update = matches!(error.remedy(), Remedy::UpdateOrRegenerate { .. });
    assert!(update, "{error}");
}

#[test]
fn another_file_under_a_tables_name_is_told_from_a_damaged_one() {
    for bytes in [&b"hello"[..], &[0; 100], b"\x89PNG\r\n\x1a\nand so on"] {
        let error = Table::new(bytes).unwrap_err();
        assert!(matches!(error.kind(), Kind::NotATable), "{error}");
    }
}

#[test]
fn the_table_of_another_ending_under_this_name_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KRvK.skm");
    fs::write(&path, small()).unwrap();
    let error = TableFile::open_as(&path, material("KRvK"), Access::Blocks).unwrap_err();
    assert!(
        matches!(error.kind(), Kind::WrongMaterial { .. }),
        "{error}"
    );
    let sentence = error.to_string();
    assert!(
        sentence.ends_with("KRvK.skm is the table of KSMvK, not of KRvK"),
        "{sentence}"
    );
    let kind = TableKind::Distances;
    let (to, table) = ("KSMvK.skm".to_string(), "KRvK".to_string());
    assert_eq!(error.remedy(), Remedy::Rename { kind, to, table });
    assert!(TableFile::open(&path, Access::Blocks).is_ok());
}

#[test]
fn a_file_that_cannot_be_read_is_named_in_the_error() {
    let directory = tempfile::tempdir().unwrap();
    for path in [directory.path().join("KRvK.skm"), directory.path().into()] {
        for access in [Access::Blocks, Access::Map, Access::Whole] {
            let error = TableFile::open(&path, access).unwrap_err();
            assert!(matches!(error.kind(), Kind::Io { .. }), "{error}");
            assert_eq!(error.path(), Some(&*path));
        }
    }
}

#[test]
fn an_empty_file_is_a_table_cut_short() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KRvK.skm");
    fs::write(&path, b"").unwrap();
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        let error = TableFile::open(&path, access).unwrap_err();
        assert!(matches!(error.kind(), Kind::Truncated { .. }), "{error}");
        let (kind, table) = (TableKind::Distances, Some("KRvK".to_string()));
        assert_eq!(error.remedy(), Remedy::CopyAgain { kind, table });
    }
}

fn names(directory: &Path) -> Vec<String> {
    fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_table_already_there_survives_a_write_that_fails() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KSMvK.skm");
    let good = small();
    fs::write(&path, &good).unwrap();
    let create = || TableWriter::create(&path, material("KSMvK"), options(64)).unwrap();

    // A cell with a code that the section does not have.
    let mut writer = create();
    let error = writer
        .add_section(info(5), &vec![0, 1, 5], QUIET)
        .unwrap_err();
    assert!(matches!(error.kind(), Kind::BadInput(_)), "{error}");
    drop(writer);
    // A section with an invalid description.
    let mut writer = create();
    assert!(writer.add_section(info(0), &vec![], QUIET).is_err());
    drop(writer);
    // A section that is not finished.
    let mut writer = create();
    writer.add_section(info(9), &noise(1000, 9), QUIET).unwrap();
    drop(writer);
    // A source that panics.
    struct Broken;
    impl CellSource for Broken {
        fn cells(&self) -> u64 {
            1000
        }
        fn read(&self, start: u64, _: &mut [u16]) {
            assert!(start < 500, "a fault of the source");
        }
    }
    let panicked = std::panic::catch_unwind(|| {
        let _ = create().add_section(info(9), &Broken, QUIET);
    });
    assert!(panicked.is_err());

    assert_eq!(fs::read(&path).unwrap(), good);
    assert_eq!(names(directory.path()), ["KSMvK.skm"]);

    // A correct one then takes its place.
    let mut writer = create();
    writer.add_section(info(9), &noise(1000, 9), QUIET).unwrap();
    assert_eq!(fs::read(&path).unwrap(), good);
    writer.finish().unwrap();
    assert_ne!(fs::read(&path).unwrap(), good);
    assert_eq!(names(directory.path()), ["KSMvK.skm"]);
}

#[test]
fn what_a_killed_run_leaves_is_no_table_and_can_be_removed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KSMvK.skm");
    let mut writer = TableWriter::create(&path, material("KSMvK"), options(64)).unwrap();
    writer
        .add_section(info(9), &noise(100_000, 9), QUIET)
        .unwrap();
    // A killed process runs no destructors.
    std::mem::forget(writer);
    let left = names(directory.path());
    assert_eq!(left.len(), 1);
    assert!(!left[0].ends_with(".skm"));
    let error = TableFile::open(&directory.path().join(&left[0]), Access::Blocks).unwrap_err();
    assert!(matches!(error.kind(), Kind::NotATable), "{error}");

    let other = directory.path().join("KRvK.skm");
    fs::write(&other, small()).unwrap();
    remove_leftovers(&path).unwrap();
    assert_eq!(names(directory.path()), ["KRvK.skm"]);
    remove_leftovers(&directory.path().join("nowhere").join("KRvK.skm")).unwrap();
}

#[test]
fn a_directory_that_cannot_be_written_is_found_before_the_work() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, b"not a directory").unwrap();
    let path = file.join("KSMvK.skm");
    let error = TableWriter::create(&path, material("KSMvK"), options(64)).unwrap_err();
    assert!(matches!(error.kind(), Kind::Io { .. }), "{error}");
    let sentence = error.to_string();
    assert!(
        sentence.contains("KSMvK.skm cannot be written"),
        "{sentence}"
    );
    assert_eq!(error.remedy(), Remedy::CheckWriting);
}

#[test]
#[cfg(unix)]
fn a_directory_without_leave_to_write_is_found_before_the_work() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(directory.path().join("probe"), b"").is_ok() {
        return; // The superuser may write anywhere.
    }
    let path = directory.path().join("KSMvK.skm");
    let error = TableWriter::create(&path, material("KSMvK"), options(64)).unwrap_err();
    assert!(matches!(error.kind(), Kind::Io { .. }), "{error}");
}

#[test]
#[cfg(unix)]
fn a_table_may_be_read_by_whoever_the_umask_lets() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KSMvK.skm");
    let plain = directory.path().join("plain");
    fs::write(&plain, b"").unwrap();
    let writer = TableWriter::create(&path, material("KSMvK"), options(64)).unwrap();
    writer.finish().unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&plain));
}

#[test]
fn a_directory_that_is_not_there_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a").join("b").join("KSMvK.skm");
    let writer = TableWriter::create(&path, material("KSMvK"), options(64)).unwrap();
    writer.finish().unwrap();
    assert!(TableFile::open(&path, Access::Whole).is_ok());
}

#[test]
fn a_cell_or_block_that_is_not_there_is_an_error() {
    let bytes = small();
    let table = Table::new(&bytes[..]).unwrap();
    let section = table.section(Metric::Dtm).unwrap();
    for cell in [section.header().cells, u64::MAX] {
        let error = section.code(cell).unwrap_err();
        assert!(matches!(error.kind(), Kind::OutOfRange { .. }), "{error}");
    }
    let (mut decoder, mut block) = (Decoder::new(), Block::new());
    for number in [section.header().blocks(), u64::MAX] {
        assert!(
            section
                .read_block(number, &mut decoder, &mut block)
                .is_err()
        );
        assert!(block.is_empty());
    }
}

#[test]
fn the_manifest_says_what_the_file_is() {
    let directory = tempfile::tempdir().unwrap();
    make("KMvKM", directory.path());
    let path = directory.path().join("KMvKM.skm");
    let bytes = fs::read(&path).unwrap();
    let entry = ManifestEntry::of_file(&path, material("KMvKM")).unwrap();
    assert_eq!(entry.file, "KMvKM.skm");
    assert_eq!(entry.bytes, bytes.len() as u64);
    assert_eq!(entry.blake3, blake3::hash(&bytes).to_hex().to_string());
    let table = Table::new(&bytes).unwrap();
    assert_eq!(entry.summary.statistics.len(), table.sections().len());
    for (listed, section) in entry.summary.statistics.iter().zip(table.sections()) {
        assert_eq!(listed.statistics, section.header().info.statistics);
    }
}

#[test]
fn a_table_may_be_read_from_several_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<TableFile>();
    shared::<Table<Vec<u8>>>();
    shared::<TableError>();
}

#[cfg(unix)]
#[test]
fn fifo_named_as_a_table_is_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KRvK.skm", "manifest.json"] {
        let made = std::process::Command::new("mkfifo")
            .arg(directory.path().join(name))
            .status();
        assert!(made.unwrap().success());
    }
    let path = directory.path().join("KRvK.skm");
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        let error = TableFile::open(&path, access).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
        assert!(matches!(error.remedy(), Remedy::MoveAway { .. }), "{error}");
    }
    let error = Manifest::load(directory.path()).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
}
