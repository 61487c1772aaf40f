//! Overlays: statistics of an ending, split into wins inside and outside a rule set's count.

use serde::Serialize;

use crate::board::{Color, Fen};
use crate::material::CanonicalMaterial;
use crate::rules::{Allowance, Category, Count, LimitKind, Outcome, RuleSet, category};
use crate::statistics::{Counts, Statistics};

/// Position counts of an ending with one side to move, by category for that side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// The number of positions in which the side to move wins inside the count.
    pub win: u64,
    /// The number of positions in which the side to move can force mate, but not inside the count.
    pub cursed_win: u64,
    /// The number of positions in which neither side can force mate.
    pub draw: u64,
    /// The number of positions in which the opponent can force mate, but not inside the count.
    pub blessed_loss: u64,
    /// The number of positions in which the side to move loses inside the count.
    pub loss: u64,
}

impl Results {
    /// The number of all positions.
    pub fn legal(&self) -> u64 {
        self.win + self.cursed_win + self.draw + self.blessed_loss + self.loss
    }
}

/// The number of moves that a fresh count allows White as the winner. For Black as the winner,
/// exchange the two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MovesAvailable {
    /// The number of moves with White to move. None if no rule ends the game.
    pub white_to_move: Option<u32>,
    /// The number of moves with Black to move. None if no rule ends the game.
    pub black_to_move: Option<u32>,
}

impl MovesAvailable {
    /// The number of moves that the count allows a winner, with the winner or the loser to move.
    fn get(&self, winner_to_move: bool) -> Option<u32> {
        match winner_to_move {
            true => self.white_to_move,
            false => self.black_to_move,
        }
    }
}

/// A position with the longest win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Longest {
    /// The FEN of the position, in the letters of the rule set.
    pub fen: String,
    /// The distance: the number of the winner's moves to mate or to honor.
    pub moves: usize,
}

/// A number of positions, and the total that it is a part of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The number of positions.
    pub positions: u64,
    /// The total number of positions.
    pub of: u64,
}

impl Share {
    /// The share in percent; 0 if the total is 0.
    pub fn percent(self) -> f64 {
        100.0 * self.positions as f64 / self.of.max(1) as f64
    }
}

/// Counts of an ending's wins by distance to honor, with either side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HonorLists {
    /// The wins with White to move.
    pub white_to_move: HonorWins,
    /// The wins with Black to move.
    pub black_to_move: HonorWins,
}

/// Counts of White's and Black's wins by distance to honor, with one side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HonorWins {
    /// White's wins, indexed by White's moves.
    pub white_wins: Vec<u64>,
    /// Black's wins, indexed by Black's moves.
    pub black_wins: Vec<u64>,
}

impl HonorLists {
    fn new(statistics: &Statistics) -> HonorLists {
        let wins = |counts: &Counts| HonorWins {
            white_wins: counts.white_wins.clone(),
            black_wins: counts.black_wins.clone(),
        };
        HonorLists {
            white_to_move: wins(&statistics.white_to_move),
            black_to_move: wins(&statistics.black_to_move),
        }
    }
}

/// The statistics of an ending under one rule set, with a fresh count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Overlay {
    /// The rule set.
    pub rules: RuleSet,
    /// The metric of the distances: `dtm` or, with men on both sides or with bia, `dth`.
    pub metric: &'static str,
    /// The rule that limits the winner. None if no rule ends the game.
    pub kind: Option<LimitKind>,
    /// The limit of that rule, in moves.
    pub limit: Option<u32>,
    /// The number of moves that the rule allows White as the winner.
    pub moves_available: MovesAvailable,
    /// The results with White to move.
    pub white_to_move: Results,
    /// The results with Black to move.
    pub black_to_move: Results,
    /// The longest win, with either side to move. None if no position is won.
    pub longest: Option<Longest>,
    /// The longest win inside the count, with either side to move.
    pub longest_inside_count: Option<Longest>,
    /// The wins by distance to honor. None against a bare king without bia.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dth: Option<HonorLists>,
}

impl Overlay {
    /// Computes the overlay of an ending. `dtm` contains the statistics of the distances to mate.
    /// With men on both sides or with bia, `dth` must contain those of the distances to honor under
    /// the rule set.
    ///
    /// None if `dth` is needed but missing. In such endings, distances to mate do not show which
    /// wins are in time, because a capture or a promotion can begin a new count.
    pub fn new(
        material: CanonicalMaterial,
        rules: RuleSet,
        dtm: &Statistics,
        dth: Option<&Statistics>,
    ) -> Option<Overlay> {
        let (metric, statistics) = match material.material().is_bare_without_bia() {
            true => ("dtm", dtm),
            false => ("dth", dth?),
        };
        let allowance = |turn| {
            Allowance::new(
                rules,
                material.material(),
                Color::White,
                turn,
                &Count::Fresh,
            )
        };
        let [white, black] = Color::ALL.map(allowance);
        let moves = |allowance: &Allowance| allowance.moves_available;
        let mut overlay = Overlay {
            rules,
            metric,
            kind: black.as_ref().map(|allowance| allowance.kind),
            limit: black.as_ref().map(|allowance| allowance.limit),
            moves_available: MovesAvailable {
                white_to_move: white.as_ref().map(moves),
                black_to_move: black.as_ref().map(moves),
            },
            white_to_move: Results::default(),
            black_to_move: Results::default(),
            longest: None,
            longest_inside_count: None,
            dth: (metric == "dth").then(|| HonorLists::new(statistics)),
        };
        for turn in Color::ALL {
            let mut results = overlay.won_in_time(material, statistics, turn);
            let counts = dtm.to_move(turn);
            // A forced mate that is not in time is a count draw.
            let mates = |winner| counts.wins(winner).iter().sum::<u64>();
            results.cursed_win = mates(turn).saturating_sub(results.win);
            results.blessed_loss = mates(!turn).saturating_sub(results.loss);
            results.draw = counts.draws;
            match turn {
                Color::White => overlay.white_to_move = results,
                Color::Black => overlay.black_to_move = results,
            }
        }
        Some(overlay)
    }

    /// The number of moves that a fresh count allows the winner. None if no rule ends the game.
    pub fn available(&self, winner_to_move: bool) -> Option<u32> {
        self.moves_available.get(winner_to_move)
    }

    /// The results with this side to move.
    pub fn to_move(&self, turn: Color) -> &Results {
        match turn {
            Color::White => &self.white_to_move,
            Color::Black => &self.black_to_move,
        }
    }

    /// The share of positions that White wins with this side to move and nothing counted.
    pub fn won(&self, turn: Color) -> Share {
        let results = self.to_move(turn);
        let positions = match turn {
            Color::White => results.win + results.cursed_win,
            Color::Black => results.loss + results.blessed_loss,
        };
        Share {
            positions,
            of: results.legal(),
        }
    }

    /// The share of positions that White wins inside the count, with this side to move.
    pub fn won_inside_count(&self, turn: Color) -> Share {
        let results = self.to_move(turn);
        let positions = match turn {
            Color::White => results.win,
            Color::Black => results.loss,
        };
        Share {
            positions,
            of: results.legal(),
        }
    }

    /// Counts the wins in time with one side to move. Updates the longest win and the longest win
    /// in time.
    fn won_in_time(
        &mut self,
        material: CanonicalMaterial,
        statistics: &Statistics,
        turn: Color,
    ) -> Results {
        let counts = statistics.to_move(turn);
        let mut results = Results::default();
        for winner in Color::ALL {
            let available = self.available(winner == turn);
            let examples = counts.examples(winner);
            for (moves, &positions) in counts.wins(winner).iter().enumerate() {
                if positions == 0 {
                    continue;
                }
                let example = examples.get(moves).and_then(Option::as_ref);
                let longest = |record: &mut Option<Longest>| {
                    if record.as_ref().is_none_or(|longest| longest.moves < moves)
                        && let Some(position) = example.and_then(|e| e.position(material, turn))
                    {
                        let lettering = self.rules.lettering();
                        let fen = Fen::new(position).display(lettering).to_string();
                        *record = Some(Longest { fen, moves });
                    }
                };
                longest(&mut self.longest);
                let outcome = Outcome::Win {
                    winner,
                    moves: moves.try_into().unwrap_or(u32::MAX),
                };
                let in_time = match category(outcome, turn, available) {
                    Category::Win => &mut results.win,
                    Category::Loss => &mut results.loss,
                    _ => continue,
                };
                *in_time += positions;
                longest(&mut self.longest_inside_count);
            }
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Example;

    /// Statistics in which every example has White's men on a1, d4 and e4, and Black's king on h8.
    fn statistics() -> Statistics {
        let example = || Some(Example::new(vec![0, 27, 28, 63]));
        let counts = |wins: Vec<u64>| Counts {
            draws: 5,
            white_examples: wins.iter().map(|&n| example().filter(|_| n > 0)).collect(),
            white_wins: wins,
            ..Counts::default()
        };
        let mut with_white = vec![0; 43];
        with_white[40] = 3;
        with_white[42] = 4;
        let mut with_black = vec![2; 42];
        with_black[41] = 7;
        Statistics {
            white_to_move: counts(with_white),
            black_to_move: counts(with_black),
        }
    }

    #[test]
    fn the_count_divides_the_wins_of_each_side_to_move() {
        // K+S+M v K: 41 moves with White to move, 40 with Black.
        let material = "KSMvK".parse().unwrap();
        let overlay = Overlay::new(material, RuleSet::Makruk, &statistics(), None).unwrap();
        assert_eq!(overlay.limit, Some(44));
        assert_eq!(overlay.moves_available.white_to_move, Some(41));
        assert_eq!(overlay.moves_available.black_to_move, Some(40));
        let white = Results {
            win: 3,
            cursed_win: 4,
            draw: 5,
            ..Results::default()
        };
        assert_eq!(overlay.white_to_move, white);
        let black = Results {
            loss: 82,
            blessed_loss: 7,
            draw: 5,
            ..Results::default()
        };
        assert_eq!(overlay.black_to_move, black);
        assert_eq!(overlay.won(Color::Black).positions, 89);
        assert_eq!(overlay.won_inside_count(Color::White).of, 12);
        let longest = |record: Option<Longest>| record.map(|l| (l.moves, l.fen));
        assert_eq!(
            longest(overlay.longest),
            Some((42, "7k/8/8/8/3SM3/8/8/K7 w - - 0 1".to_string()))
        );
        assert_eq!(longest(overlay.longest_inside_count).unwrap().0, 40);
    }

    #[test]
    fn positions_are_written_in_the_letters_of_the_rule_set() {
        let material = "KSMvK".parse().unwrap();
        let overlay = Overlay::new(material, RuleSet::Asean, &statistics(), None).unwrap();
        let longest = overlay.longest.unwrap();
        assert!(longest.fen.starts_with("7k/8/8/8/3BQ3"), "{}", longest.fen);
        // In ASEAN chess a fresh count leaves the whole limit of 44 moves.
        assert_eq!(overlay.moves_available.white_to_move, Some(45));
    }

    #[test]
    fn with_bia_the_distances_to_honor_decide_against_a_bare_king_too() {
        let material = "KSPvK".parse().unwrap();
        let with_wins = |white_wins: &[u64]| {
            let counts = Counts {
                white_wins: white_wins.to_vec(),
                draws: 100 - white_wins.iter().sum::<u64>(),
                ..Counts::default()
            };
            Statistics {
                white_to_move: counts.clone(),
                black_to_move: counts,
            }
        };
        let (mates, honor) = (with_wins(&[0, 30, 40]), with_wins(&[0, 60]));
        assert!(Overlay::new(material, RuleSet::Makruk, &mates, None).is_none());
        let overlay = Overlay::new(material, RuleSet::Makruk, &mates, Some(&honor)).unwrap();
        assert_eq!((overlay.metric, overlay.limit), ("dth", None));
        let Results {
            win,
            cursed_win,
            draw,
            ..
        } = overlay.white_to_move;
        assert_eq!([win, cursed_win, draw], [60, 10, 30]);
    }

    #[test]
    fn where_both_sides_have_men_the_distances_to_honor_decide() {
        let material = "KRvKN".parse().unwrap();
        let dtm = statistics();
        assert_eq!(Overlay::new(material, RuleSet::Makruk, &dtm, None), None);
        let mut dth = Statistics::default();
        dth.white_to_move.white_wins = vec![0, 5];
        dth.white_to_move.draws = 7;
        dth.black_to_move.white_wins = vec![3];
        dth.black_to_move.draws = 91;
        let overlay = Overlay::new(material, RuleSet::Makruk, &dtm, Some(&dth)).unwrap();
        assert_eq!((overlay.metric, overlay.limit), ("dth", Some(64)));
        // With White to move, five of the seven mates are in time; with Black to move, three of the
        // 89.
        assert_eq!(overlay.white_to_move.win, 5);
        assert_eq!(overlay.white_to_move.cursed_win, 2);
        assert_eq!(overlay.white_to_move.draw, 5);
        assert_eq!(overlay.black_to_move.loss, 3);
        assert_eq!(overlay.black_to_move.blessed_loss, 86);
        assert_eq!(overlay.dth.unwrap().white_to_move.white_wins, [0, 5]);
        // In ASEAN chess, the fifty-move rule is the only count.
        let asean = Overlay::new(material, RuleSet::Asean, &dtm, Some(&dth)).unwrap();
        assert_eq!((asean.limit, asean.white_to_move.win), (Some(50), 5));
    }
}
