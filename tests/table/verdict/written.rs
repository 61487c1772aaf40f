//! Whatever is written is read.

use sakmak::board::Color;
use sakmak::index::Layout;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSets;
use sakmak::table::Access;
use sakmak::verdict::{Set, Turn, VerdictBlock, VerdictFile, VerdictWriter};

use super::Words;

/// The words of White's sets of an ending, as read from a file that they were written to.
fn written_and_read(name: &str, sets: &[Words]) -> (Vec<Words>, usize) {
    written_and_read_into(&mut VerdictBlock::default(), name, sets)
}

/// Like [`written_and_read`], with a block that may have been used for another table.
fn written_and_read_into(
    block: &mut VerdictBlock,
    name: &str,
    sets: &[Words],
) -> (Vec<Words>, usize) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("{name}.skv"));
    let material: CanonicalMaterial = name.parse().unwrap();
    let order: Vec<u8> = (0..Layout::groups_of(material).len() as u8).collect();
    let mut writer = VerdictWriter::create(&path, material, RuleSets::ALL).unwrap();
    writer
        .add_side(Color::White, &order, sets.to_vec(), None)
        .unwrap();
    let bytes = writer.finish().unwrap();
    let table = VerdictFile::open(&path, Access::Blocks).unwrap();
    let names: Vec<Set> = Set::all().collect();
    let whole: Vec<(Set, Turn)> = Set::all().map(|set| (set, Turn::Loser)).collect();
    let mut found = vec![Words::default(); names.len()];
    for number in 0..table.blocks(Color::White).unwrap().1 {
        table
            .read_block(Color::White, &whole, number, block)
            .unwrap();
        for (found, &set) in found.iter_mut().zip(&names) {
            found[0].extend(block.words(set, Turn::Winner));
            found[1].extend(block.words(set, Turn::Loser));
        }
    }
    (found, bytes as usize)
}

#[test]
fn nothing_of_another_table_stays_in_a_block() {
    let words = |word: u64| -> Words { [vec![word; 64 * 10], vec![word; 64 * 10]] };
    let [all, some, empty] = [!0, 0x00ff_3c5a_0f0f_1234, 0].map(words);
    let tables = [
        [&all, &all, &all, &all],
        [&some, &empty, &some, &empty],
        [&all, &some, &empty, &some],
        [&some, &some, &some, &some],
    ];
    let mut block = VerdictBlock::default();
    for sets in tables.map(|sets| sets.map(Words::clone)) {
        let (fresh, _) = written_and_read("KMvK", &sets);
        let (found, _) = written_and_read_into(&mut block, "KMvK", &sets);
        assert_eq!(found, fresh);
    }
}

/// Writes sets that are related in every way, with words that no game gives. All bits of legal
/// positions must be read back.
#[test]
fn whatever_is_written_is_read() {
    let name = "KMvK";
    let mut state = 1u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state ^ state >> 29
    };
    let lanes = 64 * 10;
    let all: Words = [vec![!0; lanes], vec![!0; lanes]];
    let empty: Words = [vec![0; lanes], vec![0; lanes]];
    let (legal, _) = written_and_read(
        name,
        &[all.clone(), all.clone(), empty.clone(), all.clone()],
    );
    assert_eq!(legal[0], legal[3]);
    assert_eq!(legal[2], empty);
    let mut some = |one_in: u32| -> Words {
        let mut word = || (0..one_in).fold(!0, |word, _| word & random());
        [0, 1].map(|_| (0..lanes).map(|_| word()).collect())
    };
    let with = |a: &Words, b: &Words, f: fn(u64, u64) -> u64| -> Words {
        [0, 1].map(|turn: usize| {
            let both = a[turn].iter().zip(&b[turn]);
            both.map(|(&a, &b)| f(a, b)).collect()
        })
    };
    let (board, makruk) = (some(1), some(2));
    let a_part = with(&board, &makruk, |a, b| a & b);
    let nearly = with(&makruk, &some(7), |a, b| a ^ b);
    let (_, apart) = written_and_read(
        name,
        &[board.clone(), makruk.clone(), some(2), empty.clone()],
    );
    for sets in [
        [
            board.clone(),
            makruk.clone(),
            nearly.clone(),
            a_part.clone(),
        ],
        [all.clone(), a_part.clone(), nearly.clone(), board.clone()],
        [board.clone(), board.clone(), empty.clone(), a_part.clone()],
        [
            empty.clone(),
            makruk.clone(),
            makruk.clone(),
            nearly.clone(),
        ],
    ] {
        let (found, bytes) = written_and_read(name, &sets);
        for (found, set) in found.iter().zip(&sets) {
            assert_eq!(*found, with(set, &legal[0], |a, b| a & b));
        }
        // A set that nearly equals another takes a fraction of the bytes of a random one.
        assert!(sets[1] != makruk || sets[2] != nearly || bytes < apart);
    }
}
