//! Guarantees for sections predicted from others: every legal position's cell is read back, any
//! damage is noticed, and no file can refer to a missing section.

use std::fs;

use sakmak::index::Layout;
use sakmak::rules::RuleSet;
use sakmak::table::{
    Block, Code, Decoder, Metric, Packing, SectionInfo, Table, TableError, TableErrorKind,
    TableWriter, WriteOptions,
};

use super::QUIET;
use crate::ranked::layout;
use crate::ranked_over_base::{
    Written, golden, golden_of_bare_king, sections, sections_of_bare_king,
};

fn write(layout: &Layout, sections: &[Written]) -> Result<Vec<u8>, TableError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table.skm");
    let options = WriteOptions::default();
    let mut writer = TableWriter::create(&path, layout.material(), options).unwrap();
    for Written {
        info,
        packing,
        cells,
    } in sections
    {
        writer.add_packed(info.clone(), *packing, None, cells, QUIET)?;
    }
    writer.finish()?;
    Ok(fs::read(&path).unwrap())
}

/// Asserts that every legal cell is read back, all at once and block by block, with the base's
/// block given or not.
fn assert_same(bytes: &[u8], sections: &[Written]) {
    let table = Table::new(bytes).unwrap();
    table.check(QUIET).unwrap();
    let mut before: Option<Vec<Option<Code>>> = None;
    for (section, written) in table.sections().zip(sections) {
        let header = section.header();
        assert_eq!(header.packing, written.packing.kind);
        let told = written.values(before.as_deref());
        let all = section.decode_all(QUIET).unwrap();
        let (mut decoder, mut block) = (Decoder::new(), Block::new());
        let (mut again, mut base) = (Block::new(), Block::new());
        let mut cell = 0;
        for number in 0..header.blocks() {
            section
                .read_block(number, &mut decoder, &mut block)
                .unwrap();
            let given = section.base().map(|section| {
                section.read_block(number, &mut decoder, &mut base).unwrap();
                &base
            });
            section
                .read_block_over(number, given, &mut decoder, &mut again)
                .unwrap();
            for i in 0..block.len() {
                let code = block.get(i).unwrap();
                assert_eq!(again.get(i), Some(code));
                assert_eq!(all.get(cell), Some(code));
                let code = header.info.codes[usize::from(code)];
                let told = told[cell];
                assert!(told.is_none_or(|told| told == code), "cell {cell}");
                cell += 1;
            }
        }
        assert_eq!(cell, told.len());
        before = Some(told);
    }
}

#[test]
fn what_is_written_comes_back_wherever_a_position_is_legal() {
    for (name, codes, noise) in [
        ("KRvKR", 20, 0),
        ("KRvKM", 120, 1 << 20),
        ("KSvKM", 30, 1 << 18),
        ("KNvKN", 2, 1 << 16),
    ] {
        let layout = layout(name);
        let sections = sections(&layout, codes, noise);
        assert_same(&write(&layout, &sections).unwrap(), &sections);
    }
    for (name, codes, noise) in [("KRvK", 30, 1 << 18), ("KSvK", 2, 1 << 16)] {
        let layout = layout(name);
        let sections = sections_of_bare_king(&layout, codes, noise);
        assert_same(&write(&layout, &sections).unwrap(), &sections);
    }
}

#[test]
fn a_section_is_smaller_for_what_it_is_predicted_from() {
    let layout = layout("KRvKR");
    let mut sections = sections(&layout, 30, 1 << 18);
    let bytes = write(&layout, &sections).unwrap().len();
    let kind = Packing::SymbolRanking;
    for section in &mut sections {
        section.packing.kind = kind;
    }
    let alone = write(&layout, &sections).unwrap().len();
    assert!(bytes * 5 < alone * 4, "{bytes} of {alone}");
}

#[test]
fn the_bytes_are_the_same_with_any_number_of_threads() {
    let layout = layout("KNvKM");
    let sections = sections(&layout, 40, 1 << 18);
    let with = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(|| write(&layout, &sections).unwrap())
    };
    assert!(with(1) == with(3));
}

#[test]
fn flipped_bytes_are_noticed() {
    let layout = layout("KRvKR");
    let good = write(&layout, &sections(&layout, 20, 1 << 14)).unwrap();
    let mut bytes = good.clone();
    // Each check decodes the whole file.
    for i in (0..bytes.len()).step_by(bytes.len() / 40) {
        bytes[i] ^= 1 << (i % 8);
        let noticed = Table::new(&bytes[..]).and_then(|table| table.check(QUIET));
        assert!(noticed.is_err(), "byte {i}");
        bytes[i] = good[i];
    }
}

#[test]
fn a_section_without_a_base_is_refused() {
    let layout = layout("KRvKM");
    let all = || sections(&layout, 20, 0);
    let without = |number: usize| {
        let mut sections = all();
        sections.remove(number);
        sections
    };
    let mut plain = all();
    plain[0].packing = WriteOptions::default().plain();
    let mut other_order = all();
    let SectionInfo { order, .. } = &mut other_order[1].info;
    order.swap(0, 1);
    let mut many = all();
    many[1].info.codes = (0..251).map(Code::WhiteWins).collect();
    for sections in [without(0), without(1), plain, other_order, many] {
        let error = write(&layout, &sections).unwrap_err();
        assert!(
            matches!(error.kind(), TableErrorKind::BadInput(_)),
            "{error}"
        );
    }
}

#[test]
fn a_file_of_format_4_can_still_be_read() {
    let bytes = fs::read("tests/golden/format-4.skm").unwrap();
    assert_same(&bytes, &golden().1);
}

#[test]
fn a_file_of_format_5_can_still_be_read() {
    let bytes = fs::read("tests/golden/format-5.skm").unwrap();
    assert_same(&bytes, &golden_of_bare_king().1);
}

#[test]
fn a_table_is_of_the_first_format_that_has_all_it_uses() {
    let two_sided = sections(&layout("KRvKR"), 20, 0);
    let bare = sections_of_bare_king(&layout("KRvK"), 20, 0);
    for (name, sections, version) in [("KRvKR", two_sided, 4), ("KRvK", bare, 5)] {
        let layout = layout(name);
        let of = |sections: &[Written]| write(&layout, sections).unwrap()[8];
        assert_eq!(of(&sections), version, "{name}");
        assert_eq!(of(&sections[..1]), 3, "{name}");
    }
}

#[test]
fn metrics_are_predicted_from_one_another_in_one_way() {
    let makruk = Metric::Dth(RuleSet::Makruk);
    for (name, of_others) in [("KRvKM", makruk), ("KNNMvK", Metric::Dtm)] {
        let from = |metric: Metric| metric.predicted_from(name.parse().unwrap());
        assert_eq!(from(Metric::Dtm), None);
        assert_eq!(from(makruk), Some(Metric::Dtm));
        for rules in [RuleSet::Asean, RuleSet::Ouk] {
            assert_eq!(from(Metric::Dth(rules)), Some(of_others), "{name}");
        }
    }
}

/// Not a test: `cargo test --test table -- --ignored` writes the file again, needed only for a new
/// format version.
#[test]
#[ignore = "writes the golden file"]
fn write_the_golden_file_of_format_5() {
    let (layout, sections) = golden_of_bare_king();
    let bytes = write(&layout, &sections).unwrap();
    fs::write("tests/golden/format-5.skm", bytes).unwrap();
}
