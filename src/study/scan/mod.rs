//! What only a look at every position of an ending tells.
//!
//! An ending is read whole and gone through once with each side to move, 64 squares of Black's king
//! at a time: some seconds for hundreds of millions of positions. White's side to move lies in the
//! file; Black's follows from it by one ply. What is added up on the way is compared with the
//! statistics in the table's header, so that a scan that comes to an end agrees with them.

mod black;
mod captures;
mod dense;
mod ending;
mod placing;
mod reader;
#[cfg(test)]
mod reference;
mod sample;
mod sums;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::black::black_to_move;
use self::captures::{Bared, LastMan, RoleCaptures, add_bare_captures, merge_captures, role_of};
use self::ending::{DecodedSection, EndingInMemory};
use self::placing::{LaneResults, Placing};
use self::sample::Sample;
use self::sums::{Timed, WhiteSums};
use super::overlay::Overlay;
use crate::board::{Color, Fen, Lettering, Role, Square, SquareSet};
use crate::index::{Group, Layout};
use crate::material::{Army, CanonicalMaterial, Material};
use crate::probe::ProbeError;
use crate::rules::{Count, RuleSet, moves_available};
use crate::table::{Code, Metric, TableError, TableFile};

pub use captures::{BareCaptures, LastManCounts};
pub use reader::Reader;
pub use sums::Tally;

/// The most men of an ending that is scanned: larger ones do not fit in memory whole.
pub const MAX_SCANNED_MEN: usize = 5;

/// The rule set whose count the scan asks about.
const RULES: RuleSet = RuleSet::Makruk;

/// What a look at every position of an ending found. Counts are of positions on the whole board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scan {
    /// By the square of Black's king (a1 first, h1, a2, …, h8), with White to move.
    pub black_king: Vec<Tally>,
    /// By the rank of a khon; a position with two is counted for each.
    pub khon: Vec<KhonRank>,
    /// By the colours of the squares on which the met stand, where there are two or more.
    pub met: Vec<MetColors>,
    /// Positions in which it is bad to be to move.
    pub zugzwangs: Zugzwangs,
    /// The capture of Black's last man, where it has one.
    pub last_man: Option<LastManCaptures>,
    /// What the bare king's captures come to, by the men taken.
    pub bare_captures: Vec<BareCapturesOf>,
    /// Positions with White to move in which it can force mate, but not win in time.
    pub late: Vec<String>,
}

/// Positions with a khon on one rank, White to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KhonRank {
    /// Whose khon: `white` or `black`.
    pub side: String,
    /// The rank, from 1 to 8, as the khon's own side counts them.
    pub rank: usize,
    /// What becomes of the positions.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Positions with the met on squares of certain colours, White to move. Those with light and dark
/// exchanged, their mirror images, are counted with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetColors {
    /// White's met on squares of the one colour.
    pub white_one: usize,
    /// White's met on squares of the other.
    pub white_other: usize,
    /// Black's met on squares of the one colour.
    pub black_one: usize,
    /// Black's met on squares of the other.
    pub black_other: usize,
    /// What becomes of the positions.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Mutual zugzwangs: positions that would be better for either side if the other were to move. No
/// count runs in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zugzwangs {
    /// White wins if Black is to move, and nobody if White is.
    pub white: u64,
    /// Black wins if White is to move, and nobody if Black is.
    pub black: u64,
    /// Whoever is to move loses.
    pub both: u64,
    /// Examples of the first, with White to move.
    pub white_examples: Vec<String>,
    /// Examples of the second, with Black to move.
    pub black_examples: Vec<String>,
    /// Examples of the third, with White to move.
    pub both_examples: Vec<String>,
}

/// The captures of Black's last man.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastManCaptures {
    /// How many.
    #[serde(flatten)]
    pub counts: LastManCounts,
    /// Positions in which the capture throws the win away though it leads to a forced mate: one
    /// that comes too late.
    pub examples: Vec<String>,
}

/// The bare king's captures of one kind of man.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BareCapturesOf {
    /// The letter of the man taken.
    pub man: char,
    /// How many.
    #[serde(flatten)]
    pub counts: BareCaptures,
}

/// Goes through an ending. `progress` hears how far it is, from 0 to 1. None if the ending has
/// more than [`MAX_SCANNED_MEN`] men.
///
/// # Errors
///
/// If the ending's table, or that of one it can become, is missing or damaged, or if the
/// statistics in its header are not those of its positions.
pub fn scan(
    material: CanonicalMaterial,
    reader: &Reader,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Option<Scan>, ProbeError> {
    if material.men() > MAX_SCANNED_MEN {
        return Ok(None);
    }
    let table = reader.tablebase().table(material)?;
    let mut decoded = DecodedSection::read(&table, Metric::Dtm)?;
    progress(0.2);
    let ending = EndingInMemory::new(&decoded, None);
    progress(0.3);
    if !material.is_bare() {
        // The old cells go before the new ones come.
        drop(decoded);
        decoded = DecodedSection::read(&table, Metric::Dth(RULES))?;
        progress(0.5);
    }
    let bared = match material.is_bare() {
        true => None,
        false => Some(bared(material, reader)?),
    };
    let white = with_white_to_move(material, &ending, &decoded, bared.as_ref());
    drop(decoded);
    progress(0.7);
    let black = with_black_to_move(material, &ending, reader)?;
    progress(1.0);
    agree(&table, reader, &white.0, &black)?;
    Ok(Some(summary(material, &ending, white, black)))
}

/// The moves that makruk's fresh count leaves to a winner, with this side to move.
fn available(material: Material, winner: Color, turn: Color) -> u16 {
    let moves = moves_available(RULES, material, winner, turn, &Count::Fresh);
    moves.map_or(u16::MAX, |moves| moves.try_into().unwrap_or(u16::MAX))
}

/// The endings after the capture of Black's last man.
fn bared(material: CanonicalMaterial, reader: &Reader) -> Result<Bared, ProbeError> {
    let rest = Material {
        white: material.army(Color::White),
        black: Army::BARE,
    };
    let (canonical, _) = rest.canonical();
    let limit = available(rest, Color::White, Color::Black);
    Ok(Bared {
        all: reader.black_to_move_bare(canonical, None)?,
        in_time: reader.black_to_move_bare(canonical, Some(limit))?,
    })
}

fn with_white_to_move(
    material: CanonicalMaterial,
    ending: &EndingInMemory,
    decoded: &DecodedSection,
    bared: Option<&Bared>,
) -> (WhiteSums, LastMan) {
    let turn = Color::White;
    let men = material.material();
    let white = available(men, Color::White, turn);
    let black = available(men, Color::Black, turn);
    let answers = decoded.ask([
        &|code| matches!(code, Code::WhiteWins(moves) if moves <= white),
        &|code| matches!(code, Code::BlackWins(moves) if moves <= black),
    ]);
    let numbering = decoded.numbering();
    let groups = numbering.groups();
    let one_man_left = material.army(Color::Black).len() == 1;
    let add = |(mut sums, mut last_man): (WhiteSums, LastMan), number| {
        if let Some(placed) = numbering.placed(number) {
            let words = ending.words(&placed);
            let legal = words.legal();
            let [in_time, lost_in_time] = answers.lane(number);
            let timed = Timed {
                words,
                in_time: in_time & legal,
                lost_in_time: lost_in_time & legal,
            };
            let weight = numbering.weight(&placed);
            sums.add(groups, &placed, weight, &timed);
            if let (Some(bared), true) = (bared, one_man_left) {
                last_man.add(bared, groups, &placed, weight, &timed);
            }
        }
        (sums, last_man)
    };
    (0..numbering.len())
        .into_par_iter()
        .with_min_len(CHUNK)
        .fold(Default::default, add)
        .reduce(Default::default, |a, b| (a.0.merge(b.0), a.1.merge(b.1)))
}

/// Placings that a task takes at once, at least.
const CHUNK: usize = 1 << 14;

/// What is added up with Black to move.
#[derive(Clone, Debug, Default)]
struct BlackSums {
    white: u64,
    drawn: u64,
    black: u64,
    zugzwangs: [(u64, Sample); 3],
    captures: RoleCaptures,
}

impl BlackSums {
    fn add(&mut self, placed: &Placing, weight: u64, white: LaneResults, black: LaneResults) {
        let n = |set: SquareSet| set.len() as u64 * weight;
        self.white += n(black.white);
        self.drawn += n(black.drawn);
        self.black += n(black.black);
        let found = [
            white.drawn & black.white,
            white.black & black.drawn,
            white.black & black.white,
        ];
        for ((number, sample), found) in self.zugzwangs.iter_mut().zip(found) {
            *number += n(found);
            sample.offer(placed, found);
        }
    }

    fn merge(mut self, other: BlackSums) -> BlackSums {
        self.white += other.white;
        self.drawn += other.drawn;
        self.black += other.black;
        for (a, b) in self.zugzwangs.iter_mut().zip(other.zugzwangs) {
            a.0 += b.0;
            a.1.merge(b.1);
        }
        self.captures = merge_captures(self.captures, &other.captures);
        self
    }
}

fn with_black_to_move(
    material: CanonicalMaterial,
    ending: &EndingInMemory,
    reader: &Reader,
) -> Result<BlackSums, ProbeError> {
    let men = material.material();
    let smaller = reader.after_captures_of_white(men, None)?;
    let in_time = match material.is_bare() {
        true => {
            // A capture changes neither the limit nor the number counted; White is to move then,
            // with what it had before the bare king's move.
            let limit = available(men, Color::White, Color::Black);
            Some(reader.after_captures_of_white(men, Some(limit))?)
        }
        false => None,
    };
    let numbering = &ending.numbering;
    let groups = numbering.groups();
    let add = |mut sums: BlackSums, number: usize| {
        if let Some(placed) = numbering.placed(number) {
            let black = black_to_move(ending, &smaller, number, &placed);
            let weight = numbering.weight(&placed);
            sums.add(&placed, weight, ending.lanes[number], black);
            if let Some(in_time) = &in_time {
                let endings = (&smaller, in_time);
                let captures = &mut sums.captures;
                add_bare_captures(captures, endings, groups, &placed, weight, black.legal());
            }
        }
        sums
    };
    let sums = (0..numbering.len())
        .into_par_iter()
        .with_min_len(CHUNK)
        .fold(BlackSums::default, add)
        .reduce(BlackSums::default, BlackSums::merge);
    Ok(sums)
}

/// Compares what was added up with the statistics in the header.
fn agree(
    table: &TableFile,
    reader: &Reader,
    white: &WhiteSums,
    black: &BlackSums,
) -> Result<(), ProbeError> {
    let material = table.material();
    let tablebase = reader.tablebase();
    let statistics = tablebase.statistics(material)?;
    let honor = tablebase.honor_statistics(material, RULES)?;
    let overlay = Overlay::new(material, RULES, statistics, honor);
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
    let in_time = overlay.map(|overlay| {
        let results = overlay.white_to_move;
        (results.win, results.loss)
    });
    if stated == counted && in_time == Some((all.in_time, all.lost_in_time)) {
        return Ok(());
    }
    let error: TableError = table.damaged("its statistics are not those of its positions");
    Err(error.into())
}

fn summary(
    material: CanonicalMaterial,
    ending: &EndingInMemory,
    (white, last_man): (WhiteSums, LastMan),
    black: BlackSums,
) -> Scan {
    let fens = |sample: &Sample, turn| fens(material, sample, turn);
    let groups: Vec<Group> = Layout::groups_of(material);
    let has = |color, role| groups.iter().any(|g| (g.color, g.role) == (color, role));
    let mut khon = Vec::new();
    for color in Color::ALL {
        if has(color, Role::Khon) {
            let ranks = white.khon[color.index()].iter().enumerate();
            khon.extend(ranks.map(|(rank, &tally)| KhonRank {
                side: color.to_string().to_lowercase(),
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
        true => black
            .captures
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
        black_king: white.king_squares(&ending.numbering.symmetries()),
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

/// Examples as FENs, in the letters of makruk.
fn fens(material: CanonicalMaterial, sample: &Sample, turn: Color) -> Vec<String> {
    let positions = sample.placings().filter_map(|&(king, men, black_king)| {
        let mut placed = Placing::new(Square::wrapping(king.into()));
        placed.men = men.map(SquareSet);
        let black_king = Square::wrapping(black_king.into());
        ending::example(material, &placed, black_king).position(material, turn)
    });
    positions
        .map(|position| Fen::new(position).display(Lettering::Makruk).to_string())
        .collect()
}
