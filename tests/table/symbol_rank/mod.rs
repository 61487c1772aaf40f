//! Guarantees for sections packed by symbol ranking: every legal position's cell is read back, any
//! damage is noticed, and the number of threads makes no difference.

mod over_base;
use std::fs;

use crate::ranked::{cells, info, layout, legal};
use sakmak::board::Color;
use sakmak::index::Layout;
use sakmak::internals::{can_use_symbol_ranking, estimate};
use sakmak::table::{
    Block, DecodedCells, Decoder, ILLEGAL, Metric, Packing, SectionInfo, Table, TableErrorKind,
    TableWriter, WriteOptions,
};

const QUIET: &(dyn Fn(u64) + Sync) = &|_| {};

fn file(layout: &Layout, codes: u16, cells: &Vec<u16>, options: &WriteOptions) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table.skm");
    let mut writer = TableWriter::create(&path, layout.material(), options.clone()).unwrap();
    writer
        .add_packed(
            info(layout, codes),
            options.symbol_ranking(),
            None,
            cells,
            QUIET,
        )
        .unwrap();
    writer.finish().unwrap();
    fs::read(&path).unwrap()
}

/// Asserts that every legal cell is read back, all at once and block by block.
fn assert_same(bytes: &[u8], layout: &Layout, codes: u16, written: &[u16]) {
    let table = Table::new(bytes).unwrap();
    table.check(QUIET).unwrap();
    let section = table.section(Metric::Dtm).unwrap();
    let header = section.header();
    assert_eq!(header.packing, Packing::SymbolRanking);
    let told = info(layout, codes).codes;
    let DecodedCells::Bytes(all) = section.decode_all(QUIET).unwrap() else {
        panic!("wide cells")
    };
    let (mut decoder, mut block) = (Decoder::new(), Block::new());
    let mut read = Vec::new();
    for number in 0..header.blocks() {
        section
            .read_block(number, &mut decoder, &mut block)
            .unwrap();
        read.extend((0..block.len()).map(|i| block.get(i).unwrap()));
    }
    assert_eq!(read.len(), written.len());
    for (i, (&read, &written)) in read.iter().zip(written).enumerate() {
        assert_eq!(u16::from(all[i]), read);
        let code = header.info.codes[usize::from(read)];
        assert!(
            written == ILLEGAL || told[usize::from(written)] == code,
            "cell {i}"
        );
    }
}

#[test]
fn what_is_written_comes_back_wherever_a_position_is_legal() {
    for (name, codes, noise) in [
        ("KRvK", 20, 0),
        ("KRvK", 250, 1 << 22),
        ("KSvK", 30, 1 << 18),
        ("KNNvK", 7, 1 << 16),
        ("KMvKR", 40, 1 << 14),
    ] {
        let layout = layout(name);
        let cells = cells(&layout, codes, noise);
        let bytes = file(&layout, codes, &cells, &WriteOptions::default());
        assert_same(&bytes, &layout, codes, &cells);
    }
}

#[test]
fn a_cell_the_source_does_not_know_may_be_anything() {
    let layout = layout("KRvK");
    let mut cells = cells(&layout, 20, 1 << 20);
    for cell in cells.iter_mut().step_by(3) {
        *cell = ILLEGAL;
    }
    assert_same(
        &file(&layout, 20, &cells, &WriteOptions::default()),
        &layout,
        20,
        &cells,
    );
    // Cells without a legal position may hold anything.
    for cell in &mut cells {
        *cell = (*cell).min(19);
    }
    let bytes = file(&layout, 20, &cells, &WriteOptions::default());
    for (cell, legal) in cells.iter_mut().zip(legal(&layout)) {
        if !legal {
            *cell = ILLEGAL;
        }
    }
    assert_same(&bytes, &layout, 20, &cells);
}

#[test]
fn blocks_of_any_number_of_planes_come_back() {
    let layout = layout("KRvK");
    let cells = cells(&layout, 20, 1 << 20);
    for most in [1, 640, 1280, 20_480, 1 << 20] {
        let options = WriteOptions {
            ranking_block_cells: most,
            ..WriteOptions::default()
        };
        let bytes = file(&layout, 20, &cells, &options);
        assert_same(&bytes, &layout, 20, &cells);
    }
}

#[test]
fn the_bytes_are_the_same_with_any_number_of_threads() {
    let layout = layout("KNvKM");
    let cells = cells(&layout, 40, 1 << 18);
    let options = WriteOptions {
        ranking_block_cells: 640,
        ..WriteOptions::default()
    };
    let with = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(|| file(&layout, 40, &cells, &options))
    };
    let one = with(1);
    assert!(with(3) == one);
    assert_same(&one, &layout, 40, &cells);
}

#[test]
fn every_flipped_byte_is_noticed() {
    let layout = layout("KRvK");
    let cells = cells(&layout, 20, 1 << 14);
    let good = file(&layout, 20, &cells, &WriteOptions::default());
    let mut bytes = good.clone();
    for i in 0..bytes.len() {
        bytes[i] ^= 1 << (i % 8);
        let noticed = Table::new(&bytes[..]).and_then(|table| table.check(QUIET));
        assert!(noticed.is_err(), "byte {i}");
        bytes[i] = good[i];
    }
}

#[test]
fn a_section_without_planes_is_refused() {
    let layout = layout("KRvK");
    let material = layout.material();
    let good = info(&layout, 20);
    assert!(can_use_symbol_ranking(material, &good));
    let bad = [
        SectionInfo {
            side: Color::Black,
            ..good.clone()
        },
        SectionInfo {
            order: vec![0, 2, 1],
            ..good.clone()
        },
        SectionInfo {
            symmetry: 7,
            ..good.clone()
        },
        info(&layout, 251),
    ];
    let cells = vec![0; layout.cells() as usize];
    for info in bad {
        assert!(!can_use_symbol_ranking(material, &info));
        assert!(
            estimate(
                material,
                &info,
                WriteOptions::default().symbol_ranking(),
                1,
                &cells,
                1
            )
            .is_none()
        );
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("KRvK.skm");
        let mut writer = TableWriter::create(&path, material, WriteOptions::default()).unwrap();
        let error = writer
            .add_packed(
                info,
                WriteOptions::default().symbol_ranking(),
                None,
                &cells,
                QUIET,
            )
            .unwrap_err();
        assert!(
            matches!(error.kind(), TableErrorKind::BadInput(_)),
            "{error}"
        );
    }
}

#[test]
fn a_file_of_format_3_can_still_be_read() {
    let bytes = fs::read("tests/golden/format-3-symbol-ranking.skm").unwrap();
    let (layout, cells) = crate::ranked::section();
    assert_same(&bytes, &layout, 30, &cells);
}

/// Not a test: `cargo test --test table -- --ignored` writes the file again, needed only for a new
/// format version.
#[test]
#[ignore = "writes the golden file"]
fn write_the_golden_file() {
    let (layout, cells) = crate::ranked::section();
    let bytes = file(&layout, 30, &cells, &WriteOptions::default());
    fs::write("tests/golden/format-3-symbol-ranking.skm", bytes).unwrap();
}
