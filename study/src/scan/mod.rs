//! Scans: results that require every position of an ending.
//!
//! A scan examines all positions with either side to move, 64 squares of Black's king at a time.
//! Scanning a thousand million positions takes a second or two with the verdict table, and several
//! times as long with only the distance table. At the end, the scan compares its sums with the
//! statistics in the distance table's header, and fails if they differ.

mod black;
mod black_wins;
mod captures;
mod count;
mod dense;
mod ending;
mod from_distances;
mod from_verdicts;
mod lanes;
mod lazy;
mod placing;
mod reader;
#[cfg(test)]
mod reference;
mod sample;
mod scanner;
mod square_counts;
mod sums;

use serde::{Deserialize, Serialize};

use self::captures::role_of;
use self::count::RULES;
use self::placing::Placing;
use self::sample::Sample;
use self::scanner::{Scanner, Sums};
use sakmak::board::{Color, Fen, Role, Square, SquareSet};
use sakmak::index::{Group, Layout};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{ProbeError, Results};
use sakmak::table::{TableError, TableFile};

pub use captures::{BareCaptures, LastManCounts};
pub use ending::DecodedSection;
pub use lazy::LazySection;
pub use reader::Reader;
pub use sums::Tally;

/// The largest number of men in an ending that a scan accepts. Larger endings do not fit into
/// memory.
pub const MAX_SCANNED_MEN: usize = 5;

/// The results of a scan. All counts are of positions on the whole board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scan {
    /// Results by the square of Black's king (a1, b1, …, h1, a2, …, h8), with White to move.
    pub black_king: Vec<Tally>,
    /// Results by the rank of a khon. A position with two khon counts once for each khon.
    pub khon: Vec<KhonRank>,
    /// Results by the colours of the mets' squares, if there are two mets or more.
    pub met: Vec<MetColors>,
    /// Counts and examples of mutual zugzwangs.
    pub zugzwangs: Zugzwangs,
    /// Results of capturing Black's last man. Present only if Black has exactly one man besides its
    /// king.
    pub last_man: Option<LastManCaptures>,
    /// Results of captures by the bare king, by the kind of man captured. Empty if Black has men.
    pub bare_captures: Vec<BareCapturesOf>,
    /// Examples of positions with White to move that White wins on the board, but not in time.
    #[serde(with = "crate::as_text::list")]
    pub late: Vec<Fen>,
}

/// The results of positions with a khon on one rank, with White to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KhonRank {
    /// The khon's side.
    #[serde(with = "crate::as_text")]
    pub side: Color,
    /// The rank, from 1 to 8, counted from the khon's own side.
    pub rank: usize,
    /// The results of the positions.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The results of positions with White to move and a given distribution of the mets over the two
/// colours of squares. Positions and their mirror images, which exchange the colours, are counted
/// together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetColors {
    /// The number of White's mets on squares of the first colour.
    pub white_one: usize,
    /// The number of White's mets on squares of the second colour.
    pub white_other: usize,
    /// The number of Black's mets on squares of the first colour.
    pub black_one: usize,
    /// The number of Black's mets on squares of the second colour.
    pub black_other: usize,
    /// The results of the positions.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Mutual zugzwangs: positions in which each side would get a better result if it were the other's
/// turn, with nothing counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zugzwangs {
    /// The number of positions that White wins with Black to move, but that are drawn with White to
    /// move.
    pub white: u64,
    /// The number of positions that Black wins with White to move, but that are drawn with Black to
    /// move.
    pub black: u64,
    /// The number of positions that the side to move loses, whichever side it is.
    pub both: u64,
    /// Examples of the positions that `white` counts, as FENs with White to move.
    #[serde(with = "crate::as_text::list")]
    pub white_examples: Vec<Fen>,
    /// Examples of the positions that `black` counts, as FENs with Black to move.
    #[serde(with = "crate::as_text::list")]
    pub black_examples: Vec<Fen>,
    /// Examples of the positions that `both` counts, as FENs with White to move.
    #[serde(with = "crate::as_text::list")]
    pub both_examples: Vec<Fen>,
}

/// The results of capturing Black's last man.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastManCaptures {
    /// The position counts by the result of the capture.
    #[serde(flatten)]
    pub counts: LastManCounts,
    /// Examples of positions in which the capture throws a win in time away: mate can still be
    /// forced after it, but too late for the new count.
    #[serde(with = "crate::as_text::list")]
    pub examples: Vec<Fen>,
}

/// The results of captures of one kind of man by the bare king.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BareCapturesOf {
    /// The letter of the captured man.
    pub man: char,
    /// The position counts by the result of the capture.
    #[serde(flatten)]
    pub counts: BareCaptures,
}

/// Scans an ending. Calls `progress` with the fraction done, from 0 to 1. None if the ending has
/// bia or more than [`MAX_SCANNED_MEN`] men.
///
/// # Errors
///
/// If the table of the ending or of a subending is missing or corrupt, or if the header's
/// statistics do not match the positions.
pub fn scan(
    material: CanonicalMaterial,
    reader: &Reader,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Option<Scan>, ProbeError> {
    if material.men() > MAX_SCANNED_MEN || !material.is_pawnless() {
        return Ok(None);
    }
    let table = reader
        .tablebase()
        .inventory()
        .table_under(material, RULES)?;
    let scanner = Scanner::new(material, reader)?;
    // A scan of the verdict table is several times as fast. The verdict table is ignored if it is
    // corrupt, or if its wins do not agree with the distance table's statistics.
    let verdicts = reader.verdicts(material, RULES);
    let sums = verdicts.and_then(|verdicts| {
        let sums = from_verdicts::sums(&verdicts, &scanner, progress).ok()??;
        check_statistics(&table, reader, &sums).ok().map(|()| sums)
    });
    let sums = match sums {
        Some(sums) => sums,
        None => {
            let sums = from_distances::sums(&table, &scanner, reader, progress)?;
            check_statistics(&table, reader, &sums)?;
            sums
        }
    };
    progress(1.0);
    Ok(Some(summary(material, &sums)))
}

/// Fails unless the sums agree with the statistics in the table's header.
fn check_statistics(table: &TableFile, reader: &Reader, sums: &Sums) -> Result<(), ProbeError> {
    let Sums { white, black, .. } = sums;
    let material = table.material();
    let tablebase = reader.tablebase();
    let statistics = tablebase.inventory().statistics(material)?;
    let overlay = tablebase.inventory().overlay(material, RULES)?;
    let sum = |wins: &[u64]| wins.iter().sum::<u64>();
    let to_move = [&statistics.white_to_move, &statistics.black_to_move];
    let stated = to_move.map(|c| [sum(&c.white_wins), sum(&c.black_wins), c.legal()]);
    let all = &white.all;
    let counted = [
        [all.won, all.lost, all.legal],
        [
            black.white,
            black.black,
            black.white + black.black + black.drawn,
        ],
    ];
    let Results { win, loss, .. } = overlay.white_to_move;
    if stated == counted && (win, loss) == (all.in_time, all.lost_in_time) {
        return Ok(());
    }
    let error: TableError = table.damaged("its statistics do not match its positions");
    Err(error.into())
}

fn summary(material: CanonicalMaterial, sums: &Sums) -> Scan {
    let Sums {
        white,
        black,
        last_man,
        bare_captures,
    } = sums;
    let fens = |sample: &Sample, turn| fens(material, sample, turn);
    let groups: Vec<Group> = Layout::groups_of(material);
    let has = |color, role| groups.iter().any(|g| (g.color, g.role) == (color, role));
    let mut khon = Vec::new();
    for color in Color::ALL {
        if has(color, Role::Khon) {
            let ranks = white.khon[color.index()].iter().enumerate();
            khon.extend(ranks.map(|(rank, &tally)| KhonRank {
                side: color,
                rank: rank + 1,
                tally,
            }));
        }
    }
    let met_of = |color: Color| material.army(color).count(Role::Met);
    let mut met: Vec<MetColors> = white
        .met
        .iter()
        .map(|&([one, black_one], tally)| MetColors {
            white_one: one,
            white_other: met_of(Color::White) - one,
            black_one,
            black_other: met_of(Color::Black) - black_one,
            tally,
        })
        .collect();
    met.sort_by_key(|colours| std::cmp::Reverse((colours.white_one, colours.black_one)));
    let [first, second, both] = &black.zugzwangs;
    let bare_captures = match material.is_bare() {
        true => bare_captures
            .iter()
            .enumerate()
            .map(|(place, &counts)| (role_of(place), counts))
            .filter(|&(role, _)| has(Color::White, role))
            .map(|(role, counts)| BareCapturesOf {
                man: role.letter(),
                counts,
            })
            .collect(),
        false => Vec::new(),
    };
    Scan {
        black_king: white.king_squares(&Layout::symmetry_of(material).transforms()),
        khon,
        met,
        zugzwangs: Zugzwangs {
            white: first.0,
            black: second.0,
            both: both.0,
            white_examples: fens(&first.1, Color::White),
            black_examples: fens(&second.1, Color::Black),
            both_examples: fens(&both.1, Color::White),
        },
        last_man: (material.army(Color::Black).len() == 1).then(|| LastManCaptures {
            counts: last_man.counts,
            examples: fens(&last_man.thrown, Color::White),
        }),
        bare_captures,
        late: fens(&white.late, Color::White),
    }
}

/// The positions of a sample.
fn fens(material: CanonicalMaterial, sample: &Sample, turn: Color) -> Vec<Fen> {
    let positions = sample.placings().filter_map(|&(king, men, black_king)| {
        let mut placed = Placing::new(Square::wrapping(king.into()));
        placed.men = men.map(SquareSet);
        let black_king = Square::wrapping(black_king.into());
        ending::example(material, &placed, black_king).position(material, turn)
    });
    positions.map(Fen::new).collect()
}
