//! Detects criteria that contradict each other.

use thiserror::Error;

use super::criteria::{Capture, Criteria, FirstMove, Region};
use sakmak::board::{Color, Game, Role, attacks};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::{Category, RuleSet, RuleSets};

/// The reason why no position can match the criteria.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CriteriaError {
    /// The ending belongs to a game that is not the rule set's.
    #[error(
        "{ending} has results for {possible} only, not for {rules}: choose that rule set, or leave {suffix} out of the name",
        possible = RuleSets::possible(ending.material()),
        suffix = ending.game().suffix()
    )]
    OtherGame {
        /// The ending.
        ending: CanonicalMaterial,
        /// The rule set.
        rules: RuleSet,
    },
    /// A range whose first number is larger than its last.
    #[error("the range {from}..{to} is empty: give the smaller number first")]
    Range {
        /// The first number.
        from: u32,
        /// The last number, which is smaller.
        to: u32,
    },
    /// The criteria ask for a draw with a distance to mate or a margin. A draw has no winner, so it
    /// has neither.
    #[error(
        "a draw has no distance to mate and no margin: leave them out, or ask for another verdict"
    )]
    Draw,
    /// The category and the margin exclude each other.
    #[error(
        "the margin of a {category} is always {} moves: ask for another margin, or leave the verdict out",
        if matches!(.category, Category::Win | Category::Loss) { "0 or more" } else { "-1 or less" }
    )]
    Margin {
        /// The category that the criteria ask for.
        category: Category,
    },
    /// The criteria ask for mate in 0 and for a move. Mate in 0 is checkmate: the side to move has
    /// lost and has no move.
    #[error(
        "mate in 0 means that the side to move is checkmated, which contradicts {0}: ask for mate in 1 or more, or leave {0} out"
    )]
    Mated(&'static str),
    /// The criteria ask for a capture that gives up a win, in a position that is not won.
    #[error("only a win can be thrown away by a capture: leave {0} out")]
    ThrowsWin(String),
    /// The criteria ask for a capture that saves the bare king, but not for a draw.
    #[error("a capture that saves the bare king draws, which contradicts {0}: leave {0} out")]
    SavesKing(String),
    /// The criteria ask for a capture that saves the bare king, but White, which always has men, is
    /// to move.
    #[error("only a bare king is saved by a capture, and White has men: ask for Black to move")]
    NotBare,
    /// The criteria ask for a capture that saves the bare king, and for a quiet move or a check.
    /// But a capture is not quiet, and a king's move gives no check.
    #[error(
        "a capture by a bare king is never {0}: leave out the filter on captures or that on first moves"
    )]
    NoCapture(&'static str),
    /// The criteria ask for a promotion that keeps or gives up a win, but also for a position that
    /// is not won.
    #[error("only a win can be kept or thrown away by a promotion: leave {0} out")]
    Promotion(String),
    /// The criteria ask for a margin with bia, but nothing is counted while a bia is on the board.
    #[error(
        "no position with a bia has a margin, since nothing is counted there: leave the margin or {0} out"
    )]
    Uncounted(&'static str),
    /// The criteria ask for a promotion, but in no ending does the side to move have a bia.
    #[error(
        "the side to move has no bia to promote in these endings: ask for an ending such as KSPvK, or for the other side to move"
    )]
    NoBia,
    /// The criteria ask for a bia on a square where no bia can be.
    #[error(
        "no position has {0}: a white bia stands on ranks {white} and a black one on ranks {black}",
        white = ranks(*.1, Color::White),
        black = ranks(*.1, Color::Black)
    )]
    BiaSquares(Region, Game),
    /// The criteria ask for a move that keeps the result of a loss, though every move loses.
    #[error(
        "in a lost position no move keeps the result: leave out the verdict, or the filters on moves"
    )]
    Loss,
    /// The criteria ask for zugzwang and a win, but in zugzwang the side to move does not win.
    #[error("a side that wins is not in zugzwang: leave {0} or zugzwang out")]
    Zugzwang(String),
    /// The criteria ask for a bare king to move and for a margin of 0 or more. The side with the
    /// bare king then loses, and no move keeps the result of a loss.
    #[error(
        "with a margin of 0 or more, a bare king to move is lost and no move keeps the result: ask for White to move or a margin of -1 or less, or leave out the filters on moves"
    )]
    BareLoss,
    /// The criteria ask for two men that cannot be on their squares at the same time.
    #[error("no position has {0} and {1} together: leave one out, or allow more squares for it")]
    Men(Region, Region),
}

/// The ranks of [`Game::bia_ranks`] as text.
fn ranks(game: Game, color: Color) -> String {
    let [first, last] = game.bia_ranks(color);
    format!("{first} to {last}")
}

impl Criteria {
    /// Checks the criteria for contradictions that do not depend on the ending.
    ///
    /// # Errors
    ///
    /// If no position can match.
    pub fn check(&self) -> Result<(), CriteriaError> {
        if let Some(range) = self.dtm.as_ref().filter(|range| range.is_empty()) {
            let (from, to) = (*range.start(), *range.end());
            return Err(CriteriaError::Range { from, to });
        }
        self.check_verdict()?;
        self.check_checkmate()?;
        self.check_capture()?;
        self.check_promotion()?;
        let game = self.rules.game();
        let is_off = |man: &&Region| {
            man.role == Role::Bia && (man.squares & game.bia_home(man.color)).is_empty()
        };
        if let Some(man) = self.men.iter().find(is_off) {
            return Err(CriteriaError::BiaSquares(*man, game));
        }
        if self.zugzwang && self.capture == Some(Capture::ThrowsWin) {
            let criterion = "the capture that throws a win away".to_string();
            return Err(CriteriaError::Zugzwang(criterion));
        }
        let pairs = (self.men.iter().enumerate())
            .flat_map(|(i, first)| self.men[i + 1..].iter().map(move |second| (first, second)));
        for (first, second) in pairs {
            if !are_compatible(first, second) {
                return Err(CriteriaError::Men(*first, *second));
            }
        }
        Ok(())
    }

    /// Checks the criteria for contradictions that [`Criteria::check`] cannot find: those that
    /// occur in all of these endings, and endings of another game.
    ///
    /// # Errors
    ///
    /// If no position can match, or if an ending's name contains a game that is not that of the
    /// rule set.
    pub fn check_endings(&self, endings: &[CanonicalMaterial]) -> Result<(), CriteriaError> {
        for &ending in endings {
            self.check_game(ending)?;
        }
        let lost = self.turn == Some(Color::Black) && self.margin.is_some_and(|margin| margin >= 0);
        if lost && self.concerns_keeping_moves() && endings.iter().all(|ending| ending.is_bare()) {
            return Err(CriteriaError::BareLoss);
        }
        let has_bia = |ending: &CanonicalMaterial| {
            let mut sides = Color::ALL.into_iter();
            sides.any(|side| {
                self.turn.is_none_or(|turn| turn == side) && !ending.army(side).is_pawnless()
            })
        };
        match self.needs_promotion() && !endings.iter().any(has_bia) {
            true => Err(CriteriaError::NoBia),
            false => Ok(()),
        }
    }

    /// Fails if the ending's name contains a game that is not that of the rule set.
    pub(super) fn check_game(&self, ending: CanonicalMaterial) -> Result<(), CriteriaError> {
        let rules = self.rules;
        match ending.game().is_named() && ending.game() != rules.game() {
            true => Err(CriteriaError::OtherGame { ending, rules }),
            false => Ok(()),
        }
    }

    /// True if a criterion concerns the moves that keep the result.
    fn concerns_keeping_moves(&self) -> bool {
        self.only_move || self.first_move.is_some()
    }

    fn check_verdict(&self) -> Result<(), CriteriaError> {
        let Some(category) = self.category else {
            return Ok(());
        };
        if category == Category::Draw && (self.dtm.is_some() || self.margin.is_some()) {
            return Err(CriteriaError::Draw);
        }
        // In ASEAN chess a late capture may win although mate takes longer than the count.
        let may_be_late = self.rules.has_fifty_move_rule() && !category.is_count_draw();
        if self.margin.is_some_and(|margin| {
            (margin < 0) != category.is_count_draw() && !(margin < 0 && may_be_late)
        }) {
            return Err(CriteriaError::Margin { category });
        }
        if category == Category::Loss && self.concerns_keeping_moves() {
            return Err(CriteriaError::Loss);
        }
        if self.zugzwang && matches!(category, Category::Win | Category::CursedWin) {
            return Err(CriteriaError::Zugzwang(verdict(category)));
        }
        Ok(())
    }

    fn check_checkmate(&self) -> Result<(), CriteriaError> {
        if self.dtm.as_ref().is_none_or(|range| *range.end() > 0) {
            return Ok(());
        }
        let wrong = [
            (
                self.category
                    .is_some_and(|category| category != Category::Loss),
                "the verdict",
            ),
            (self.margin.is_some_and(|margin| margin < 0), "the margin"),
            (self.zugzwang, "zugzwang"),
            (
                self.concerns_keeping_moves() || self.capture.is_some() || self.promotion.is_some(),
                "the filters on moves",
            ),
        ];
        match wrong.into_iter().find(|&(is_wrong, _)| is_wrong) {
            Some((_, criterion)) => Err(CriteriaError::Mated(criterion)),
            None => Ok(()),
        }
    }

    fn check_promotion(&self) -> Result<(), CriteriaError> {
        if !self.needs_promotion() {
            return Ok(());
        }
        if self.margin.is_some() && !self.rules.counts_with_bia() {
            return Err(CriteriaError::Uncounted("the promotion"));
        }
        if self.capture == Some(Capture::SavesKing) {
            return Err(CriteriaError::SavesKing("the promotion".to_string()));
        }
        if self.promotion.is_none() {
            return Ok(());
        }
        if let Some(category) = self.category.filter(|&c| c != Category::Win) {
            return Err(CriteriaError::Promotion(verdict(category)));
        }
        match self.zugzwang {
            true => Err(CriteriaError::Zugzwang("the promotion".to_string())),
            false => Ok(()),
        }
    }

    fn check_capture(&self) -> Result<(), CriteriaError> {
        match self.capture {
            None => Ok(()),
            Some(Capture::ThrowsWin) => {
                if let Some(category) = self.category.filter(|&c| c != Category::Win) {
                    return Err(CriteriaError::ThrowsWin(verdict(category)));
                }
                // A negative margin rules out a win, except in ASEAN chess.
                match self.margin {
                    Some(margin) if margin < 0 && !self.rules.has_fifty_move_rule() => {
                        Err(CriteriaError::ThrowsWin(format!("the margin of {margin}")))
                    }
                    _ => Ok(()),
                }
            }
            Some(Capture::SavesKing) => {
                if self.turn == Some(Color::White) {
                    return Err(CriteriaError::NotBare);
                }
                let no_draw = |category: &Category| {
                    !matches!(category, Category::Draw | Category::BlessedLoss)
                };
                if let Some(category) = self.category.filter(no_draw) {
                    return Err(CriteriaError::SavesKing(verdict(category)));
                }
                if let Some(margin) = self.margin.filter(|&margin| margin >= 0) {
                    return Err(CriteriaError::SavesKing(format!("the margin of {margin}")));
                }
                match self.first_move {
                    Some(FirstMove::Quiet) => Err(CriteriaError::NoCapture("quiet")),
                    Some(FirstMove::Check) => Err(CriteriaError::NoCapture("a check")),
                    // Filters for promotions are checked elsewhere.
                    Some(FirstMove::Capture | FirstMove::Promotion) | None => Ok(()),
                }
            }
        }
    }
}

fn verdict(category: Category) -> String {
    format!("the verdict {category}")
}

/// True if a position can have a man in each region. If both regions are for the same kind and
/// side, one man can meet both, and a king has to. Otherwise the men need different squares, and
/// kings must not be adjacent.
fn are_compatible(first: &Region, second: &Region) -> bool {
    let kings = first.role == Role::King && second.role == Role::King;
    let alike = (first.color, first.role) == (second.color, second.role);
    if alike {
        return !kings || !(first.squares & second.squares).is_empty();
    }
    let mut squares = first.squares;
    squares.any(|square| {
        let mut others = second.squares.without(square);
        others.any(|other| !kings || !attacks::king(square).contains(other))
    })
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use sakmak::rules::RuleSet;

    use super::super::criteria::Promotion;
    use super::*;

    fn plain() -> Criteria {
        Criteria {
            turn: None,
            ..Criteria::new(RuleSet::Makruk)
        }
    }

    #[test]
    fn bia_stand_where_the_game_lets_them() {
        let error = |rules, man: &str| {
            let wanted = Criteria {
                men: vec![man.parse().unwrap()],
                ..Criteria::new(rules)
            };
            wanted.check().err().map(|error| error.to_string())
        };
        assert_eq!(error(RuleSet::Asean, "P@a-h6-7"), None);
        assert_eq!(
            error(RuleSet::Asean, "P@a8").unwrap(),
            "no position has P on a8: a white bia stands on ranks 3 to 7 and a black one on ranks 6 to 2"
        );
        assert!(error(RuleSet::Ouk, "P@a-h6-7").unwrap().contains("3 to 5"));
    }

    #[test]
    fn contradictions_are_detected() {
        assert_eq!(plain().check(), Ok(()));
        let mated = || Criteria {
            dtm: Some(0..=0),
            ..plain()
        };
        let throws = || Criteria {
            capture: Some(Capture::ThrowsWin),
            ..plain()
        };
        let saves = || Criteria {
            capture: Some(Capture::SavesKing),
            ..plain()
        };
        let verdict = |category| Some(category);
        let zugzwang = || Criteria {
            zugzwang: true,
            ..plain()
        };
        let wrong = [
            Criteria {
                dtm: Some(RangeInclusive::new(5, 4)),
                ..plain()
            },
            Criteria {
                category: verdict(Category::Draw),
                margin: Some(0),
                ..plain()
            },
            Criteria {
                category: verdict(Category::Draw),
                dtm: Some(1..=9),
                ..plain()
            },
            Criteria {
                category: verdict(Category::Win),
                margin: Some(-1),
                ..plain()
            },
            Criteria {
                category: verdict(Category::CursedWin),
                margin: Some(0),
                ..plain()
            },
            Criteria {
                category: verdict(Category::Loss),
                only_move: true,
                ..plain()
            },
            Criteria {
                category: verdict(Category::Loss),
                first_move: Some(FirstMove::Quiet),
                ..plain()
            },
            Criteria {
                category: verdict(Category::Win),
                ..mated()
            },
            Criteria {
                category: verdict(Category::BlessedLoss),
                ..mated()
            },
            Criteria {
                margin: Some(-1),
                ..mated()
            },
            Criteria {
                zugzwang: true,
                ..mated()
            },
            Criteria {
                only_move: true,
                ..mated()
            },
            Criteria {
                first_move: Some(FirstMove::Check),
                ..mated()
            },
            Criteria {
                capture: Some(Capture::ThrowsWin),
                ..mated()
            },
            Criteria {
                category: verdict(Category::Draw),
                ..throws()
            },
            Criteria {
                margin: Some(-1),
                ..throws()
            },
            Criteria {
                zugzwang: true,
                ..throws()
            },
            Criteria {
                turn: Some(Color::White),
                ..saves()
            },
            Criteria {
                category: verdict(Category::Loss),
                ..saves()
            },
            Criteria {
                category: verdict(Category::CursedWin),
                ..saves()
            },
            Criteria {
                margin: Some(0),
                ..saves()
            },
            Criteria {
                first_move: Some(FirstMove::Quiet),
                ..saves()
            },
            Criteria {
                first_move: Some(FirstMove::Check),
                ..saves()
            },
            Criteria {
                category: verdict(Category::Win),
                ..zugzwang()
            },
            Criteria {
                category: verdict(Category::CursedWin),
                ..zugzwang()
            },
        ];
        for wanted in wrong {
            assert!(wanted.check().is_err(), "{wanted:?}");
        }
        // A capture in time wins although mate would take too long.
        let late = Criteria {
            category: Some(Category::Win),
            margin: Some(-1),
            ..Criteria::new(RuleSet::Asean)
        };
        assert_eq!(late.check(), Ok(()));
    }

    #[test]
    fn bia_on_impossible_squares_are_detected() {
        for (man, stands) in [
            ("P@a3", true),
            ("P@a5-6", true),
            ("P@a1-2", false),
            ("P@a-h6-8", false),
            ("p@d6", true),
            ("p@d3", false),
        ] {
            let men = vec![man.parse().unwrap()];
            assert_eq!(Criteria { men, ..plain() }.check().is_ok(), stands, "{man}");
        }
    }

    #[test]
    fn men_that_exclude_each_other_are_detected() {
        let check = |men: [&str; 2]| {
            let men = men.map(|man| man.parse().unwrap()).to_vec();
            Criteria { men, ..plain() }.check().is_ok()
        };
        for men in [
            ["K@a1", "K@a2"],
            ["K@a1", "M@a1"],
            ["K@a1", "k@b2"],
            ["K@a1-2", "k@a1-2"],
        ] {
            assert!(!check(men), "{men:?}");
        }
        for men in [
            ["K@a1-2", "K@a2-3"],
            ["M@a1", "M@a2"],
            ["M@a1", "M@a1"],
            ["K@a1-2", "M@a1"],
            ["K@a1", "k@b-c1"],
        ] {
            assert!(check(men), "{men:?}");
        }
    }

    #[test]
    fn an_ending_of_another_game_is_refused() {
        let endings = |name: &str| [name.parse().unwrap()];
        for rules in RuleSet::ALL {
            let wanted = Criteria::new(rules);
            assert_eq!(wanted.check_endings(&endings("KSPvK")), Ok(()));
            let error = wanted.check_endings(&endings("KSPvK-asean")).err();
            let said = error.map(|error| error.to_string());
            match rules {
                RuleSet::Asean => assert_eq!(said, None),
                _ => assert!(said.unwrap().contains("for asean only, not for"), "{rules}"),
            }
        }
    }

    #[test]
    fn promotions_need_a_bia_that_tables_have_and_a_win() {
        let promotion = |promotion| Criteria {
            promotion: Some(promotion),
            ..plain()
        };
        let endings = ["KSPvK", "KSMvK"].map(|name| name.parse().unwrap());
        let first = || Criteria {
            first_move: Some(FirstMove::Promotion),
            ..plain()
        };
        for kind in Promotion::ALL {
            assert_eq!(promotion(kind).check(), Ok(()));
            assert_eq!(promotion(kind).check_endings(&endings), Ok(()));
            let none = promotion(kind).check_endings(&endings[1..]);
            assert_eq!(none, Err(CriteriaError::NoBia));
            let wrong = [
                Criteria {
                    category: Some(Category::CursedWin),
                    ..promotion(kind)
                },
                Criteria {
                    dtm: Some(0..=0),
                    ..promotion(kind)
                },
                Criteria {
                    zugzwang: true,
                    ..promotion(kind)
                },
                Criteria {
                    margin: Some(0),
                    ..promotion(kind)
                },
            ];
            for rules in [RuleSet::Ouk, RuleSet::Asean] {
                let other = Criteria {
                    rules,
                    ..promotion(kind)
                };
                assert_eq!(other.check(), Ok(()));
            }
            for wanted in wrong {
                assert!(wanted.check().is_err(), "{wanted:?}");
            }
        }
        let of_black = Criteria {
            turn: Some(Color::Black),
            ..first()
        };
        assert_eq!(first().check_endings(&endings), Ok(()));
        assert_eq!(of_black.check_endings(&endings), Err(CriteriaError::NoBia));
        let king = Criteria {
            capture: Some(Capture::SavesKing),
            ..first()
        };
        assert!(king.check().is_err());
        let drawn = Criteria {
            category: Some(Category::Draw),
            ..first()
        };
        assert_eq!(drawn.check(), Ok(()));
    }

    #[test]
    fn a_losing_bare_king_has_no_move_that_keeps_the_result() {
        let wanted = Criteria {
            turn: Some(Color::Black),
            margin: Some(0),
            only_move: true,
            ..plain()
        };
        let endings = ["KSMvK", "KRvKN"].map(|name| name.parse().unwrap());
        assert_eq!(wanted.check(), Ok(()));
        assert_eq!(wanted.check_endings(&endings), Ok(()));
        let bare = wanted.check_endings(&endings[..1]);
        assert_eq!(bare, Err(CriteriaError::BareLoss));
    }
}
