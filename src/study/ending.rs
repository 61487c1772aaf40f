//! All that is known of an ending: its statistics under each rule set, side by side.

use serde::Serialize;

use super::overlay::{Longest, Overlay, Share, example_position};
use super::standing::Standing;
use crate::board::{Color, Fen};
use crate::material::CanonicalMaterial;
use crate::probe::{ProbeError, Tablebase};
use crate::rules::{Count, RuleSet, fifty_moves_left};
use crate::stats::{Counts, Statistics};

/// An ending under all rule sets.
#[derive(Clone, Debug)]
pub struct EndingStudy {
    /// The ending.
    pub material: CanonicalMaterial,
    /// By distance to mate.
    pub mates: Statistics,
    /// Under each rule set, makruk first.
    pub rules: Vec<RulesStudy>,
}

/// An ending under one rule set.
#[derive(Clone, Debug)]
pub struct RulesStudy {
    /// The rule set laid over the statistics.
    pub overlay: Overlay,
    /// The distances that decide: to mate or, where both sides have men, to honor.
    pub distances: Statistics,
    /// For White as the winner and for Black, if there is a position that it wins and its men are
    /// not the same, so that White's wins are its own seen from the other side.
    pub sides: Vec<SideStudy>,
}

/// One side's wins of an ending under one rule set.
#[derive(Clone, Debug, Serialize)]
pub struct SideStudy {
    /// The side that wins.
    #[serde(serialize_with = "name")]
    pub winner: Color,
    /// How it stands against the count. None where too much is not known.
    pub standing: Option<Standing>,
    /// With the winner to move.
    pub to_move: TurnStudy,
    /// With the other side to move.
    pub not_to_move: TurnStudy,
}

/// One side's wins with one side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TurnStudy {
    /// The moves that a fresh count leaves to the winner. None if no rule ends the game.
    pub moves_available: Option<u32>,
    /// Legal positions.
    pub legal: u64,
    /// In which the winner can force mate.
    pub won: u64,
    /// In which it wins inside the count.
    pub in_time: u64,
    /// In which the tables do not tell whether it does.
    pub not_known: u64,
    /// In which it can force mate, but not inside the count.
    pub count_draws: u64,
    /// In which neither side can force mate.
    pub drawn: u64,
    /// In which the other side can force mate.
    pub lost: u64,
    /// The longest win.
    pub longest: Option<Longest>,
    /// The longest win inside the count.
    pub longest_in_time: Option<Longest>,
    /// The shortest win that is too long for the count.
    pub shortest_too_long: Option<Longest>,
}

fn name<S: serde::Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(color)
}

impl TurnStudy {
    /// A number of positions as a share of the legal ones.
    pub fn share(&self, positions: u64) -> Share {
        Share {
            positions,
            of: self.legal,
        }
    }
}

impl SideStudy {
    /// With this side to move.
    pub fn turn(&self, turn: Color) -> &TurnStudy {
        match turn == self.winner {
            true => &self.to_move,
            false => &self.not_to_move,
        }
    }
}

impl EndingStudy {
    /// Reads what the header of an ending's table says.
    ///
    /// # Errors
    ///
    /// If the table is missing or cannot be used.
    pub fn read(
        tablebase: &Tablebase,
        material: CanonicalMaterial,
    ) -> Result<EndingStudy, ProbeError> {
        let mates = tablebase.statistics(material)?.clone();
        let mut rules = Vec::new();
        for set in RuleSet::ALL {
            let honor = tablebase.honor_statistics(material, set)?;
            rules.extend(RulesStudy::new(material, set, &mates, honor));
        }
        Ok(EndingStudy {
            material,
            mates,
            rules,
        })
    }

    /// The ending under this rule set.
    pub fn under(&self, rules: RuleSet) -> Option<&RulesStudy> {
        self.rules.iter().find(|study| study.overlay.rules == rules)
    }
}

impl RulesStudy {
    /// From the statistics by distance to mate and, where both sides have men, to honor.
    pub fn new(
        material: CanonicalMaterial,
        rules: RuleSet,
        mates: &Statistics,
        honor: Option<&Statistics>,
    ) -> Option<RulesStudy> {
        let overlay = Overlay::new(material, rules, mates, honor)?;
        let distances = honor.unwrap_or(mates).clone();
        let sides = Color::ALL.into_iter().filter_map(|winner| {
            let study = |turn| turn_study(material, &overlay, mates, &distances, winner, turn);
            let (to_move, not_to_move) = (study(winner), study(!winner));
            let wins = to_move.won + not_to_move.won > 0;
            // Of like sides the one stands for both.
            let like = material.army(Color::White) == material.army(Color::Black);
            (winner == Color::White || (wins && !like)).then(|| SideStudy {
                winner,
                standing: standing(&to_move),
                to_move,
                not_to_move,
            })
        });
        Some(RulesStudy {
            sides: sides.collect(),
            overlay,
            distances,
        })
    }

    /// The wins of one side.
    pub fn side(&self, winner: Color) -> Option<&SideStudy> {
        self.sides.iter().find(|side| side.winner == winner)
    }

    /// The positions with one side to move that are won within so many moves, by the distances
    /// that decide.
    pub fn won_within(&self, winner: Color, turn: Color, moves: u32) -> u64 {
        let wins = self.distances.to_move(turn).wins(winner);
        wins.iter().take((moves as usize).saturating_add(1)).sum()
    }

    /// The positions with the other side to move that are still won in time when it has counted
    /// `later` moves beyond those of a fresh count. None if nothing is counted.
    pub fn won_when_late(&self, winner: Color, later: u32) -> Option<Share> {
        let turn = !winner;
        let side = self.side(winner)?;
        let moves = side.turn(turn).moves_available?.checked_sub(later)?;
        Some(Share {
            positions: self.won_within(winner, turn, moves),
            of: side.turn(turn).legal,
        })
    }
}

/// The word, if what is not known does not matter to it.
fn standing(turn: &TurnStudy) -> Option<Standing> {
    let least = Standing::of(turn.share(turn.in_time));
    let most = Standing::of(turn.share(turn.in_time + turn.not_known));
    (least == most).then_some(least)
}

fn turn_study(
    material: CanonicalMaterial,
    overlay: &Overlay,
    mates: &Statistics,
    distances: &Statistics,
    winner: Color,
    turn: Color,
) -> TurnStudy {
    let board = mates.to_move(turn);
    let counts = distances.to_move(turn);
    let sum = |counts: &Counts, winner| counts.wins(winner).iter().sum::<u64>();
    let to_move = winner == turn;
    let moves_available = match to_move {
        true => overlay.moves_available.white_to_move,
        false => overlay.moves_available.black_to_move,
    };
    let results = overlay.to_move(turn);
    let said_in_time = match to_move {
        true => results.win,
        false => results.loss,
    };
    // Longer wins may be stopped by the fifty-move rule, or not.
    let fifty = match overlay.exact {
        true => u32::MAX,
        false => fifty_moves_left(to_move, &Count::Fresh),
    };
    let surely = moves_available.unwrap_or(u32::MAX).min(fifty);
    let within = |moves: u32| {
        let wins = counts.wins(winner).iter();
        wins.take((moves as usize).saturating_add(1)).sum::<u64>()
    };
    let in_time = match overlay.exact {
        true => said_in_time,
        false => within(surely),
    };
    let not_known = match overlay.exact {
        true => 0,
        false => sum(counts, winner) - in_time,
    };
    let won = sum(board, winner);
    let record = |moves: Option<usize>| -> Option<Longest> {
        let moves = moves?;
        let example = counts.examples(winner).get(moves)?.as_deref()?;
        let position = example_position(material, example, turn)?;
        let fen = Fen::new(position);
        Some(Longest {
            fen: fen.display(overlay.rules.lettering()).to_string(),
            moves,
        })
    };
    let wins = counts.wins(winner);
    let fits = |moves: usize| u32::try_from(moves).is_ok_and(|moves| moves <= surely);
    let longest = wins.iter().rposition(|&n| n > 0);
    let longest_in_time = (0..wins.len()).rev().find(|&m| fits(m) && wins[m] > 0);
    let too_long = (0..wins.len()).find(|&m| !fits(m) && wins[m] > 0);
    TurnStudy {
        moves_available,
        legal: board.legal(),
        won,
        in_time,
        not_known,
        count_draws: won.saturating_sub(in_time + not_known),
        drawn: board.draws,
        lost: sum(board, !winner),
        longest: record(longest),
        longest_in_time: record(longest_in_time),
        shortest_too_long: record(too_long.filter(|_| overlay.exact)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wins of White alone: so many of each distance, with either side to move.
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
            counts.white_examples[moves] = Some(vec![0, 27, 28, 63]);
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
    fn a_side_is_told_what_fits_and_what_just_does_not() {
        // K+S+M v K: 41 moves with White to move, 40 with Black.
        let mates = statistics(&[(3, 60), (40, 20), (41, 5), (43, 5)], 10);
        let makruk = study("KSMvK", RuleSet::Makruk, &mates);
        let side = makruk.side(Color::White).unwrap();
        let moves = |record: &Option<Longest>| record.as_ref().map(|record| record.moves);
        for (turn, fits, misses, in_time) in
            [(&side.to_move, 41, 43, 85), (&side.not_to_move, 40, 41, 80)]
        {
            assert_eq!(moves(&turn.longest), Some(43));
            assert_eq!(moves(&turn.longest_in_time), Some(fits));
            assert_eq!(moves(&turn.shortest_too_long), Some(misses));
            assert_eq!((turn.won, turn.in_time, turn.legal), (90, in_time, 100));
            assert_eq!((turn.count_draws, turn.drawn), (90 - in_time, 10));
        }
        assert_eq!(side.standing, Some(Standing::Usually));
        assert_eq!(makruk.side(Color::Black).map(|side| side.winner), None);
    }

    #[test]
    fn a_count_that_has_run_for_some_moves_leaves_fewer_wins() {
        let mates = statistics(&[(3, 60), (38, 20), (40, 10)], 10);
        let makruk = study("KSMvK", RuleSet::Makruk, &mates);
        let late = |later| {
            makruk
                .won_when_late(Color::White, later)
                .map(|s| s.positions)
        };
        let counts = [0, 1, 2, 3, 37, 38, 40, 41].map(late);
        let some = [90, 80, 80, 60, 60, 0, 0].map(Some);
        assert_eq!(counts[..7], some);
        assert_eq!(counts[7], None);
    }

    #[test]
    fn what_the_fifty_move_rule_may_stop_is_not_claimed_in_asean_chess() {
        // Nothing is counted while both sides have men; of the wins of more than fifty moves only
        // those with a capture on the way are in time.
        let mates = statistics(&[(3, 60), (50, 10), (51, 5), (60, 20)], 5);
        let asean = study("KSvKM", RuleSet::Asean, &mates);
        assert!(!asean.overlay.exact);
        let side = asean.side(Color::White).unwrap();
        for turn in [&side.to_move, &side.not_to_move] {
            assert_eq!(turn.in_time + turn.not_known, 95);
            assert_eq!(turn.count_draws, 0);
            assert_eq!(turn.shortest_too_long, None);
            assert!(turn.longest_in_time.as_ref().unwrap().moves <= 51);
        }
        assert_eq!(
            (side.not_to_move.in_time, side.not_to_move.not_known),
            (70, 25)
        );
        // More than half either way.
        assert_eq!(side.standing, Some(Standing::Usually));
        // But whether nearly all, the tables do not tell.
        let mates = statistics(&[(3, 90), (60, 10)], 0);
        let asean = study("KSvKM", RuleSet::Asean, &mates);
        assert_eq!(asean.side(Color::White).unwrap().standing, None);
        // Makruk's count is exact.
        let makruk = study("KSvKM", RuleSet::Makruk, &mates);
        assert!(makruk.overlay.exact);
        assert_eq!(makruk.side(Color::White).unwrap().to_move.not_known, 0);
    }
}
