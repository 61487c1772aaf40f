//! The contents of the golden files of plain blocks, and cells for other tests.

use sakmak::board::Color;
use sakmak::statistics::{Counts, Example, Statistics};
use sakmak::table::{Code, ILLEGAL, Metric, SectionInfo};

/// A section with a number of codes: a draw, then alternating wins of both sides.
pub fn info(codes: u16) -> SectionInfo {
    let code = |i: u16| match i {
        0 => Code::Draw,
        _ if i % 2 == 1 => Code::WhiteWins(i / 2),
        _ => Code::BlackWins(i),
    };
    SectionInfo {
        metric: Metric::Dtm,
        side: Color::Black,
        symmetry: 7,
        order: vec![3, 1, 2, 0],
        codes: (0..codes).map(code).collect(),
        statistics: Statistics {
            black_to_move: Counts {
                white_wins: vec![0, 1 << 40, 3],
                white_examples: vec![None, Some(Example::new(vec![1, 2, 63])), None],
                draws: u64::MAX,
                ..Counts::default()
            },
            ..Statistics::default()
        },
    }
}

/// Cells like those of an ending: smoothly varying distances, with gaps.
pub fn smooth(n: u64, codes: u16) -> Vec<u16> {
    let cell = |i: u64| {
        let (a, b, c) = (i / 4096 % 64, i / 64 % 64, i % 64);
        let apart = |a: u64, b: u64| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8));
        match a == b || a == c || b == c || apart(a, c) == 1 {
            true => ILLEGAL,
            false => (apart(a, b) * 3 + apart(b, c) * 5 + apart(a, c)) as u16 * 7 % codes,
        }
    };
    (0..n).map(cell).collect()
}

/// Random cells, from a small linear congruential generator.
pub fn noise(n: usize, codes: u16) -> Vec<u16> {
    let mut state = 1u64;
    let mut cell = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(codes)) as u16
    };
    (0..n).map(|_| cell()).collect()
}

/// The sections of `golden/format-3.skm`, a file that is never written again: compressed blocks of
/// both widths, one of equal cells, and one that cannot be compressed.
pub fn sections() -> [(SectionInfo, Vec<u16>); 2] {
    let wide = [smooth(4096, 300), vec![299; 256]].concat();
    [
        (info(300), wide),
        (info(256), [smooth(500, 20), noise(268, 256)].concat()),
    ]
}
