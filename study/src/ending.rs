//! The figures of an ending under each rule set, read from the header of its table.

use std::fmt;

use serde::{Serialize, Serializer};

use super::standing::Standing;
use sakmak::board::{Color, Fen, Lettering};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Overlay, ProbeError, Share, Tablebase};
use sakmak::rules::{LimitKind, RuleSet, RuleSets};
use sakmak::statistics::{Counts, Statistics};

/// The figures of an ending under all rule sets.
#[derive(Clone, Debug)]
pub struct EndingStudy {
    /// The ending.
    pub material: CanonicalMaterial,
    /// The statistics of the distances to mate.
    pub mates: Statistics,
    /// The figures under each rule set that the table supports, makruk first.
    pub rules: Vec<RulesStudy>,
    /// The rule sets that the table supports.
    pub found: RuleSets,
}

/// The figures of an ending under one rule set.
#[derive(Clone, Debug)]
pub struct RulesStudy {
    /// The statistics under the rule set's count.
    pub overlay: Overlay,
    /// The statistics of the distances to mate or, with men on both sides or with bia, to honor.
    pub distances: Statistics,
    /// The rows with White as the winner, then those with Black. The row with the winner to move
    /// precedes the row with the loser to move. There are no rows for Black if Black wins no
    /// position, or if the armies are equal, since Black's wins then mirror White's.
    pub rows: Vec<Row>,
}

/// A row of the study, the same in every output format: the figures of one ending under one rule
/// set, for one winner and one side to move.
///
/// Counts are of legal positions on the whole board. Distances are moves of the winner, to mate or,
/// with men on both sides or with bia, to honor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The ending.
    #[serde(serialize_with = "name")]
    pub material: CanonicalMaterial,
    /// The number of men, both kings included.
    pub men: usize,
    /// The rule set.
    pub rules: RuleSet,
    /// The metric of the distances: `dtm` (to mate) or `dth` (to honor).
    pub metric: &'static str,
    /// The rule that ends the game first. None if no rule does.
    pub kind: Option<LimitKind>,
    /// The limit of that rule, in moves.
    pub limit: Option<u32>,
    /// The side whose wins the row counts.
    #[serde(serialize_with = "name")]
    pub winner: Color,
    /// True if the winner is to move, false if the loser is.
    pub winner_to_move: bool,
    /// The number of moves that a fresh count allows the winner. None if no rule ends the game.
    pub moves_available: Option<u32>,
    /// The number of legal positions.
    pub legal: u64,
    /// The number of legal positions in which the winner can force mate.
    pub won: u64,
    /// The number of legal positions that the winner wins inside the count.
    pub in_time: u64,
    /// The number of legal positions in which the winner can force mate, but not inside the count.
    pub count_draws: u64,
    /// The number of legal positions in which neither side can force mate.
    pub drawn: u64,
    /// The number of legal positions in which the other side can force mate.
    pub lost: u64,
    /// The length, in moves, of the longest win.
    pub longest: Option<usize>,
    /// The length, in moves, of the longest win inside the count.
    pub longest_in_time: Option<usize>,
    /// The length, in moves, of the shortest win that is too long for the count.
    pub shortest_too_long: Option<usize>,
    /// The winner's standing against the count.
    pub standing: Standing,
    /// An example of the longest win, in the letters of the rule set.
    pub longest_fen: Option<WrittenFen>,
    /// An example of the longest win inside the count.
    pub longest_in_time_fen: Option<WrittenFen>,
    /// An example of the shortest win that is too long for the count.
    pub shortest_too_long_fen: Option<WrittenFen>,
}

/// A position, and the letters in which documents write its men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenFen {
    /// The position.
    pub fen: Fen,
    /// The letters.
    pub lettering: Lettering,
}

impl fmt::Display for WrittenFen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fen.display(self.lettering).fmt(f)
    }
}

impl Serialize for WrittenFen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn name<S: Serializer>(value: &impl std::fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

impl Row {
    /// The share of this number of positions among all legal positions.
    pub fn share(&self, positions: u64) -> Share {
        Share {
            positions,
            of: self.legal,
        }
    }
}

impl EndingStudy {
    /// Reads the figures from the header of an ending's table.
    ///
    /// # Errors
    ///
    /// If the table is missing or cannot be used.
    pub fn read(
        tablebase: &Tablebase,
        material: CanonicalMaterial,
    ) -> Result<EndingStudy, ProbeError> {
        let mates = tablebase.inventory().statistics(material)?.clone();
        let mut rules = Vec::new();
        let found = tablebase.inventory().rule_sets(material)?;
        for set in found.iter() {
            let honor = tablebase.inventory().honor_statistics(material, set)?;
            rules.extend(RulesStudy::new(material, set, &mates, honor));
        }
        Ok(EndingStudy {
            material,
            mates,
            rules,
            found,
        })
    }

    /// The figures under one rule set. None if the table does not support it.
    pub fn under(&self, rules: RuleSet) -> Option<&RulesStudy> {
        self.rules.iter().find(|study| study.overlay.rules == rules)
    }
}

impl RulesStudy {
    /// Computes the figures from the statistics of the distances to mate and, with men on both
    /// sides or with bia, to honor. None if the distances to honor are needed but missing.
    pub fn new(
        material: CanonicalMaterial,
        rules: RuleSet,
        mates: &Statistics,
        honor: Option<&Statistics>,
    ) -> Option<RulesStudy> {
        let overlay = Overlay::new(material, rules, mates, honor)?;
        let distances = honor.unwrap_or(mates);
        let mut rows = Vec::new();
        for winner in Color::ALL {
            let of = |turn| row(material, &overlay, mates, distances, (winner, turn));
            let both = [of(winner), of(!winner)];
            let wins = both.iter().any(|row| row.won > 0);
            // With equal armies, White's rows represent both sides.
            let equal_armies = material.army(Color::White) == material.army(Color::Black);
            if winner == Color::White || (wins && !equal_armies) {
                rows.extend(both);
            }
        }
        Some(RulesStudy {
            rows,
            overlay,
            distances: distances.clone(),
        })
    }

    /// The row for one winner, with the winner or the loser to move.
    pub fn row(&self, winner: Color, winner_to_move: bool) -> Option<&Row> {
        let wanted = (winner, winner_to_move);
        let mut rows = self.rows.iter();
        rows.find(|row| (row.winner, row.winner_to_move) == wanted)
    }

    /// The rows with the winner to move.
    pub fn winners(&self) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(|row| row.winner_to_move)
    }

    /// With the loser to move: the share of positions won in time if the count is `advance` moves
    /// beyond a fresh count. None if no rule ends the game, or if a fresh count leaves fewer than
    /// `advance` moves.
    pub fn won_when_late(&self, winner: Color, advance: u32) -> Option<Share> {
        let row = self.row(winner, false)?;
        let moves = row.moves_available?.checked_sub(advance)?;
        let wins = self.distances.to_move(!winner).wins(winner);
        Some(row.share(within(wins, moves)))
    }
}

/// The number of wins that take at most this many moves.
fn within(wins: &[u64], moves: u32) -> u64 {
    wins.iter().take((moves as usize).saturating_add(1)).sum()
}

fn row(
    material: CanonicalMaterial,
    overlay: &Overlay,
    mates: &Statistics,
    distances: &Statistics,
    (winner, turn): (Color, Color),
) -> Row {
    let board = mates.to_move(turn);
    let counts = distances.to_move(turn);
    let sum = |counts: &Counts, winner| counts.wins(winner).iter().sum::<u64>();
    let winner_to_move = winner == turn;
    let available = &overlay.moves_available;
    let results = overlay.to_move(turn);
    let in_time = match winner_to_move {
        true => results.win,
        false => results.loss,
    };
    let wins = counts.wins(winner);
    let most = overlay.available(winner_to_move).unwrap_or(u32::MAX);
    let fits = |moves: usize| u32::try_from(moves).is_ok_and(|moves| moves <= most);
    let longest = wins.iter().rposition(|&n| n > 0);
    let longest_in_time = (0..wins.len()).rev().find(|&m| fits(m) && wins[m] > 0);
    let shortest_too_long = (0..wins.len()).find(|&m| !fits(m) && wins[m] > 0);
    let fen = |moves: Option<usize>| -> Option<WrittenFen> {
        let example = counts.examples(winner).get(moves?)?.as_ref()?;
        Some(WrittenFen {
            fen: Fen::new(example.position(material, turn)?),
            lettering: overlay.rules.lettering(),
        })
    };
    let legal = board.legal();
    let won = sum(board, winner);
    let share = |positions| Share {
        positions,
        of: legal,
    };
    Row {
        material,
        men: material.men(),
        rules: overlay.rules,
        metric: overlay.metric,
        kind: overlay.kind,
        limit: overlay.limit,
        winner,
        winner_to_move,
        moves_available: match winner_to_move {
            true => available.white_to_move,
            false => available.black_to_move,
        },
        legal,
        won,
        in_time,
        count_draws: won.saturating_sub(in_time),
        drawn: board.draws,
        lost: sum(board, !winner),
        longest_fen: fen(longest),
        longest_in_time_fen: fen(longest_in_time),
        shortest_too_long_fen: fen(shortest_too_long),
        longest,
        longest_in_time,
        shortest_too_long,
        standing: Standing::of(share(in_time), share(won)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak::statistics::Example;

    /// Statistics in which only White wins. `wins` lists distances with their numbers of positions,
    /// the same for either side to move.
    fn statistics(wins: &[(usize, u64)], draws: u64) -> Statistics {
        let longest = wins.iter().map(|win| win.0).max().unwrap_or(0);
        let mut counts = Counts {
            white_wins: vec![0; longest + 1],
            white_examples: vec![None; longest + 1],
            draws,
            ..Counts::default()
        };
        for &(moves, n) in wins {
            counts.white_wins[moves] = n;
            // White: a1, d4 and e4 (and more); Black: h8.
            counts.white_examples[moves] = Some(Example::new(vec![0, 27, 28, 63]));
        }
        Statistics {
            white_to_move: counts.clone(),
            black_to_move: counts,
        }
    }

    fn study(name: &str, rules: RuleSet, mates: &Statistics) -> RulesStudy {
        let material: CanonicalMaterial = name.parse().unwrap();
        let honor = (!material.is_bare()).then_some(mates);
        RulesStudy::new(material, rules, mates, honor).unwrap()
    }

    #[test]
    fn a_row_has_the_longest_win_in_time_and_the_shortest_win_too_long() {
        // K+S+M v K: 41 moves with White to move, 40 with Black.
        let mates = statistics(&[(3, 60), (40, 20), (41, 5), (43, 5)], 10);
        let makruk = study("KSMvK", RuleSet::Makruk, &mates);
        for (own, fits, misses, in_time) in [(true, 41, 43, 85), (false, 40, 41, 80)] {
            let row = makruk.row(Color::White, own).unwrap();
            assert_eq!(row.longest, Some(43));
            assert_eq!(row.longest_in_time, Some(fits));
            assert_eq!(row.shortest_too_long, Some(misses));
            assert_eq!((row.won, row.in_time, row.legal), (90, in_time, 100));
            assert_eq!((row.count_draws, row.drawn), (90 - in_time, 10));
            assert_eq!(row.standing, Standing::Usually);
        }
        assert_eq!(makruk.row(Color::Black, true), None);
    }

    #[test]
    fn a_count_that_has_run_for_some_moves_leaves_fewer_wins() {
        let mates = statistics(&[(3, 60), (38, 20), (40, 10)], 10);
        let makruk = study("KSMvK", RuleSet::Makruk, &mates);
        let late = |advance| {
            makruk
                .won_when_late(Color::White, advance)
                .map(|s| s.positions)
        };
        let counts = [0, 1, 2, 3, 37, 38, 40, 41].map(late);
        let some = [90, 80, 80, 60, 60, 0, 0].map(Some);
        assert_eq!(counts[..7], some);
        assert_eq!(counts[7], None);
    }

    #[test]
    fn the_fifty_move_rule_decides_in_asean_chess_with_men_on_both_sides() {
        let mates = statistics(&[(3, 60), (50, 10), (51, 5), (60, 20)], 5);
        let asean = study("KSvKM", RuleSet::Asean, &mates);
        for own in [true, false] {
            let row = asean.row(Color::White, own).unwrap();
            assert_eq!((row.in_time, row.count_draws), (70, 25));
            assert_eq!(
                (row.longest_in_time, row.shortest_too_long),
                (Some(50), Some(51))
            );
            assert_eq!(row.standing, Standing::Usually);
        }
    }
}
