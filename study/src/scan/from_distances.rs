//! Scans an ending by its distance table, which contains the positions with White to move. Results
//! with Black to move are computed from the positions after each move.

use rayon::prelude::*;

use super::black::black_to_move;
use super::count::{RULES, available};
use super::ending::{DecodedSection, EndingInMemory};
use super::lanes::{Lane, Plane, Timed};
use super::reader::Reader;
use super::scanner::{Scanner, Sums};
use sakmak::board::Color;
use sakmak::internals::ForkedByOneFunction;
use sakmak::probe::ProbeError;
use sakmak::table::{Code, Metric, TableFile};

/// The smallest number of placings that one parallel task processes.
const CHUNK: usize = 1 << 14;

/// Adds up the results of an ending's lanes. Calls `progress` with the fraction done, from 0 to 1.
///
/// # Errors
///
/// If the table of the ending or of a subending is missing or corrupt.
pub fn sums(
    table: &TableFile,
    scanner: &Scanner,
    reader: &Reader<'_>,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Sums, ProbeError> {
    let material = table.material();
    let men = material.material();
    let mut decoded = DecodedSection::read(table, Metric::Dtm)?;
    progress(0.2);
    let ending = EndingInMemory::new(&decoded, None);
    progress(0.3);
    if !material.is_bare() {
        // Frees the old cells before allocating the new ones.
        drop(decoded);
        decoded = DecodedSection::read(table, Metric::Dth(RULES))?;
        progress(0.5);
    }
    let [white, black] = Color::ALL.map(|winner| available(men, winner, Color::White));
    let answers = decoded.ask([
        &|code| matches!(code, Code::WhiteWins(moves) if moves <= white),
        &|code| matches!(code, Code::BlackWins(moves) if moves <= black),
    ]);
    let subendings = reader.after_captures_of_white(men, None)?;
    let numbering = &ending.numbering;
    let add = |mut sums: Sums, number: usize| {
        let Some(placed) = numbering.placed(number) else {
            return sums;
        };
        let words = ending.lanes[number];
        // Both sections have the same domain of White's king, so no transform is needed.
        let (timed, _) = decoded.numbering().number(&placed);
        let [in_time, lost_in_time] = answers.lane(timed);
        let lane = Lane {
            king: placed.king,
            weight: numbering.weight(&placed),
            white_to_move: Timed {
                on_board: words,
                in_time: in_time & words.legal(),
                lost_in_time: lost_in_time & words.legal(),
            },
            black_to_move: black_to_move(&ending, &subendings, number, &placed),
        };
        let plane = Plane {
            men: placed.men,
            lanes: &[lane],
        };
        scanner.add(&mut sums, &plane);
        sums
    };
    let numbers = (0..numbering.len())
        .into_par_iter()
        .with_min_len(CHUNK)
        .erased();
    Ok(numbers
        .fold(Sums::default, add)
        .reduce(Sums::default, Sums::merge))
}
