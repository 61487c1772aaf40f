//! The contents of the golden file of symbol ranking, and cells for other tests.

use sakmak::board::Color;
use sakmak::index::{Component, Layout};
use sakmak::material::CanonicalMaterial;
use sakmak::statistics::Statistics;
use sakmak::table::{Code, ILLEGAL, Metric, SectionInfo};

/// The layout of an ending with its kings innermost.
pub fn layout(name: &str) -> Layout {
    let material: CanonicalMaterial = name.parse().unwrap();
    let groups = Layout::groups_of(material).len();
    let mut order: Vec<Component> = (0..groups).map(Component::Group).collect();
    order.extend([Component::Anchor, Component::Lane]);
    let symmetry = Layout::symmetry_of(material);
    Layout::new(material, symmetry, &order).unwrap()
}

/// The codes: a draw, then wins of White and, for every third code, of Black.
pub fn info(layout: &Layout, codes: u16) -> SectionInfo {
    let code = |i: u16| match i {
        0 => Code::Draw,
        _ if i.is_multiple_of(3) => Code::BlackWins(i),
        _ => Code::WhiteWins(i),
    };
    SectionInfo {
        metric: Metric::Dtm,
        side: Color::White,
        symmetry: layout.symmetry().id(),
        order: layout.order_bytes(),
        codes: (0..codes).map(code).collect(),
        statistics: Statistics::default(),
    }
}

/// True for the indices of legal positions with White to move, by the rules of the board.
pub fn legal(layout: &Layout) -> Vec<bool> {
    let material = layout.material();
    let positions = (0..layout.cells()).map(|number| layout.example(number));
    positions
        .map(|example| example.position(material, Color::White).is_some())
        .collect()
}

/// Cells that depend on the squares of the men, as in an ending, with a share of random ones.
pub fn cells(layout: &Layout, codes: u16, noise: u64) -> Vec<u16> {
    let mut state = 1u64;
    let legal = legal(layout);
    (0..layout.cells())
        .map(|number| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if !legal[number as usize] {
                return ILLEGAL;
            }
            if state >> 40 < noise {
                return ((state >> 20) % u64::from(codes)) as u16;
            }
            let example = layout.example(number);
            let squares = example.squares();
            let apart = |a: u8, b: u8| {
                let files = (a % 8).abs_diff(b % 8);
                files.max((a / 8).abs_diff(b / 8))
            };
            let last = squares.len() - 1;
            let sum = 2 * apart(squares[0], squares[last]) + apart(squares[1], squares[last]);
            u16::from(sum) % codes
        })
        .collect()
}

/// The section of `golden/format-3-symbol-ranking.skm`, a file that is never written again.
pub fn section() -> (Layout, Vec<u16>) {
    let layout = layout("KRvK");
    let cells = cells(&layout, 30, 1 << 18);
    (layout, cells)
}
