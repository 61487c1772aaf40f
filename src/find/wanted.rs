//! What a position is to be.

use std::ops::RangeInclusive;

use thiserror::Error;

use super::region::Region;
use crate::board::{Color, Position};
use crate::material::CanonicalMaterial;
use crate::probe::{Distance, ProbeError, RankedMove, Tablebase, Value};
use crate::rules::{Category, Count, RuleSet, category, moves_available};
use crate::table::{Code, Metric};

/// What a position is to be. Whatever is not said may be any way. The count has not begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The rules.
    pub rules: RuleSet,
    /// The side to move: White is the side with more, which is named first. Either, if none is
    /// given.
    pub turn: Option<Color>,
    /// What it is worth to the side to move.
    pub category: Option<Category>,
    /// The moves to mate, as if nothing were counted.
    pub dtm: Option<RangeInclusive<u32>>,
    /// The moves that the count leaves, less those that the winner needs: 0 for a win that just
    /// fits, -1 for one that is just missed.
    pub margin: Option<i32>,
    /// Of several moves just one keeps the result.
    pub only_move: bool,
    /// What a capture comes to.
    pub capture: Option<Capture>,
    /// Whoever is to move would have a better result if the other were.
    pub zugzwang: bool,
    /// What each move is that keeps the result.
    pub first_move: Option<FirstMove>,
    /// Where men stand.
    pub men: Vec<Region>,
}

/// What a capture comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capture {
    /// A capture gives up a win that another move keeps.
    ThrowsWin,
    /// The bare king draws by a capture, and loses by any other move that it has.
    SavesKing,
}

/// What a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FirstMove {
    /// It takes nothing and gives no check.
    Quiet,
    /// It gives check.
    Check,
    /// It takes a man.
    Capture,
}

impl Capture {
    /// Its name, as options and documents have it.
    pub const fn name(self) -> &'static str {
        match self {
            Capture::ThrowsWin => "throws-win",
            Capture::SavesKing => "saves-king",
        }
    }

    /// What a name says.
    pub fn from_name(name: &str) -> Option<Capture> {
        let mut all = [Capture::ThrowsWin, Capture::SavesKing].into_iter();
        all.find(|capture| capture.name() == name)
    }
}

impl FirstMove {
    /// Its name, as options and documents have it.
    pub const fn name(self) -> &'static str {
        match self {
            FirstMove::Quiet => "quiet",
            FirstMove::Check => "check",
            FirstMove::Capture => "capture",
        }
    }

    /// What a name says.
    pub fn from_name(name: &str) -> Option<FirstMove> {
        let mut all = [FirstMove::Quiet, FirstMove::Check, FirstMove::Capture].into_iter();
        all.find(|first| first.name() == name)
    }
}

/// Why nothing can be what is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WantedError {
    /// From a number to a smaller one.
    #[error("no number is from {from} to {to}: give the smaller one first")]
    Range {
        /// The first.
        from: u32,
        /// The last.
        to: u32,
    },
    /// A draw has no winner whose moves could be counted.
    #[error(
        "a draw has no distance to mate and no margin: leave them out, or ask for another verdict"
    )]
    Draw,
    /// A verdict and a margin that do not go together.
    #[error(
        "a {category} has a margin of {} moves: ask for another margin, or leave the verdict out",
        if matches!(.category, Category::Win | Category::Loss) { "0 or more" } else { "-1 or fewer" }
    )]
    Margin {
        /// The verdict.
        category: Category,
    },
    /// Nothing is lost by a capture in a position that is not won.
    #[error("only a win can be thrown away by a capture: leave the verdict {0} out")]
    ThrowsWin(Category),
    /// A capture saves from a loss.
    #[error("a capture that saves the king makes a draw: leave the verdict {0} out")]
    SavesKing(Category),
    /// The side to move has men.
    #[error("only a bare king is saved by a capture, and White has men: ask for --turn b")]
    NotBare,
    /// Where everything loses no move keeps anything.
    #[error("no move keeps the result of a loss: leave out the verdict, or what is asked of moves")]
    Loss,
}

impl Wanted {
    /// Anything at all with the side to move that is named first.
    pub fn new(rules: RuleSet) -> Wanted {
        Wanted {
            rules,
            turn: Some(Color::White),
            category: None,
            dtm: None,
            margin: None,
            only_move: false,
            capture: None,
            zugzwang: false,
            first_move: None,
            men: Vec::new(),
        }
    }

    /// Checks that what is wanted does not contradict itself.
    ///
    /// # Errors
    ///
    /// If nothing can be all of it.
    pub fn check(&self) -> Result<(), WantedError> {
        if let Some(range) = self.dtm.as_ref().filter(|range| range.is_empty()) {
            let (from, to) = (*range.start(), *range.end());
            return Err(WantedError::Range { from, to });
        }
        if let Some(category) = self.category {
            if category == Category::Draw && (self.dtm.is_some() || self.margin.is_some()) {
                return Err(WantedError::Draw);
            }
            if self
                .margin
                .is_some_and(|margin| (margin < 0) != category.is_count_draw())
            {
                return Err(WantedError::Margin { category });
            }
            match self.capture {
                Some(Capture::ThrowsWin) if category != Category::Win => {
                    return Err(WantedError::ThrowsWin(category));
                }
                Some(Capture::SavesKing) if category.points() != 0 => {
                    return Err(WantedError::SavesKing(category));
                }
                _ => {}
            }
            if category == Category::Loss && (self.only_move || self.first_move.is_some()) {
                return Err(WantedError::Loss);
            }
        }
        if self.capture == Some(Capture::SavesKing) && self.turn == Some(Color::White) {
            return Err(WantedError::NotBare);
        }
        Ok(())
    }

    /// The metric whose cells tell the most of what is wanted.
    pub(super) fn metric(&self, material: CanonicalMaterial) -> Metric {
        let by_count = self.margin.is_some() || self.category.is_some();
        match !material.is_bare() && by_count {
            true => Metric::Dth(self.rules),
            false => Metric::Dtm,
        }
    }

    /// False if no position of a cell of the metric with this code and side to move is wanted. What
    /// the code alone does not tell may be wanted.
    pub(super) fn may_be(
        &self,
        material: CanonicalMaterial,
        metric: Metric,
        turn: Color,
        code: Code,
    ) -> bool {
        let men = material.material();
        let win = match code {
            Code::Base => return true,
            Code::Draw if self.capture == Some(Capture::ThrowsWin) => return false,
            Code::Draw if metric == Metric::Dtm => {
                return self.dtm.is_none()
                    && self.margin.is_none()
                    && self.category.is_none_or(|wanted| wanted == Category::Draw);
            }
            Code::Draw => {
                return self.margin.is_none()
                    && self.category.is_none_or(|wanted| wanted.points() == 0);
            }
            Code::WhiteWins(moves) => (Color::White, u32::from(moves)),
            Code::BlackWins(moves) => (Color::Black, u32::from(moves)),
        };
        let (winner, moves) = win;
        let mover_wins = winner == turn;
        if (self.zugzwang && mover_wins)
            || (self.capture == Some(Capture::ThrowsWin) && !mover_wins)
        {
            return false;
        }
        if metric == Metric::Dtm
            && self
                .dtm
                .as_ref()
                .is_some_and(|range| !range.contains(&moves))
        {
            return false;
        }
        // With men on both sides the distance to mate does not tell the verdict and, in ASEAN chess,
        // that to honor is in plies.
        if !material.is_bare() && (metric == Metric::Dtm || self.rules == RuleSet::Asean) {
            return true;
        }
        let available = moves_available(self.rules, men, winner, turn, &Count::Fresh);
        let outcome = crate::rules::Outcome::Win { winner, moves };
        let fits = self
            .category
            .is_none_or(|wanted| wanted == category(outcome, turn, available));
        let margin = available.map(|available| available as i32 - moves as i32);
        fits && self.margin.is_none_or(|wanted| margin == Some(wanted))
    }

    /// The longest loss of a bare king that may be wanted; none if a draw may be, or any loss.
    pub(super) fn longest_loss(&self, material: CanonicalMaterial, bare: Color) -> Option<u32> {
        let men = material.material();
        let available = moves_available(self.rules, men, !bare, bare, &Count::Fresh);
        let by_dtm = self.dtm.as_ref().map(|range| *range.end());
        let by_margin = self.margin.zip(available).map(|(margin, available)| {
            let moves = i64::from(available) - i64::from(margin);
            u32::try_from(moves).unwrap_or(0)
        });
        let by_category = available.filter(|_| self.category == Some(Category::Loss));
        [by_dtm, by_margin, by_category].into_iter().flatten().min()
    }

    /// True if a value is wanted.
    pub(super) fn fits(&self, value: &Value) -> bool {
        self.category.is_none_or(|wanted| value.category == wanted)
            && self.dtm.as_ref().is_none_or(|range| {
                let moves = value.dtm.moves();
                moves.is_some_and(|moves| range.contains(&u32::from(moves.0)))
            })
            && self
                .margin
                .is_none_or(|wanted| margin(value) == Some(wanted))
    }

    /// True if the moves of a position are wanted.
    pub(super) fn fits_moves(
        &self,
        tablebase: &Tablebase,
        position: &Position,
    ) -> Result<bool, ProbeError> {
        if self.zugzwang && !is_zugzwang(tablebase, position)? {
            return Ok(false);
        }
        if !self.only_move && self.capture.is_none() && self.first_move.is_none() {
            return Ok(true);
        }
        if self.capture.is_some() && !has_capture(position) {
            return Ok(false);
        }
        let moves = tablebase.best_moves(position, self.rules, &Count::Fresh)?;
        Ok(self.fits_ranked(position, &moves))
    }

    fn fits_ranked(&self, position: &Position, moves: &[RankedMove]) -> bool {
        let points: Vec<i8> = moves
            .iter()
            .map(|ranked| ranked.category.points())
            .collect();
        let Some(&best) = points.iter().max() else {
            return false;
        };
        let keeping = || {
            let all = moves.iter().zip(&points);
            all.filter(|&(_, &points)| points == best)
                .map(|(ranked, _)| ranked)
        };
        if self.only_move && (best < 0 || moves.len() < 2 || keeping().count() != 1) {
            return false;
        }
        let captures_fit = match self.capture {
            None => true,
            Some(Capture::ThrowsWin) => {
                best == 1
                    && moves
                        .iter()
                        .zip(&points)
                        .any(|(ranked, &points)| ranked.capture && points < 1)
            }
            Some(Capture::SavesKing) => {
                let material = position.material();
                material.army(position.turn()).is_empty()
                    && best == 0
                    && keeping().count() < moves.len()
                    && keeping().all(|ranked| ranked.capture)
            }
        };
        let is = |ranked: &RankedMove, first: FirstMove| {
            let check = position.play(ranked.m).is_check();
            match first {
                FirstMove::Quiet => !ranked.capture && !check,
                FirstMove::Check => check,
                FirstMove::Capture => ranked.capture,
            }
        };
        let first_fits = self
            .first_move
            .is_none_or(|first| best >= 0 && keeping().all(|ranked| is(ranked, first)));
        captures_fit && first_fits
    }
}

/// The moves that the count leaves, less those that the winner needs; none in a draw, or where
/// nothing is counted.
pub fn margin(value: &Value) -> Option<i32> {
    let needed = value.dth.unwrap_or(value.dtm).moves()?;
    let available = value.allowance?.moves_available;
    Some(available as i32 - i32::from(needed.0))
}

fn has_capture(position: &Position) -> bool {
    let moves = position.legal_moves();
    moves.iter().any(|&m| position.is_capture(m))
}

/// True if whoever is to move would have a better result if the other were, when nothing is
/// counted.
fn is_zugzwang(tablebase: &Tablebase, position: &Position) -> Result<bool, ProbeError> {
    let passed = Position::new(
        Color::ALL.map(|color| position.by_color(color)),
        crate::board::Role::ALL.map(|role| position.by_role(role)),
        !position.turn(),
    );
    let Ok(passed) = passed else {
        return Ok(false);
    };
    let points = |distance: Distance| match distance {
        Distance::Win(_) => 1,
        Distance::Draw => 0,
        Distance::Loss(_) => -1,
    };
    let now = points(tablebase.dtm(position)?);
    Ok(now < -points(tablebase.dtm(&passed)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_are_told() {
        let plain = || Wanted::new(RuleSet::Makruk);
        assert_eq!(plain().check(), Ok(()));
        let wrong = [
            Wanted {
                dtm: Some(RangeInclusive::new(5, 4)),
                ..plain()
            },
            Wanted {
                category: Some(Category::Draw),
                margin: Some(0),
                ..plain()
            },
            Wanted {
                category: Some(Category::Win),
                margin: Some(-1),
                ..plain()
            },
            Wanted {
                category: Some(Category::CursedWin),
                margin: Some(0),
                ..plain()
            },
            Wanted {
                category: Some(Category::Draw),
                capture: Some(Capture::ThrowsWin),
                ..plain()
            },
            Wanted {
                capture: Some(Capture::SavesKing),
                ..plain()
            },
            Wanted {
                category: Some(Category::Loss),
                only_move: true,
                ..plain()
            },
        ];
        for wanted in wrong {
            assert!(wanted.check().is_err(), "{wanted:?}");
        }
    }
}
