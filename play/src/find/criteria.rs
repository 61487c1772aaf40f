//! Criteria for a search of positions, among them regions: a man and the squares where it may be,
//! such as `K@a-d1-4`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use sakmak::board::{Color, Game, Lettering, Position, Role, Square, SquareSet};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, ProbeError, RankedMove, Tablebase, Value};
use sakmak::rules::{Category, Count, RuleSet, category, late_captures_matter, moves_available};
use sakmak::table::{Code, Metric};
use thiserror::Error;

/// A man and the squares on which it may stand. If the side has several men of the role, one of
/// them on these squares is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The colour of the man.
    pub color: Color,
    /// The role of the man.
    pub role: Role,
    /// The squares on which the man may stand.
    pub squares: SquareSet,
}

/// The error for a text that is not a man with its squares.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} does not say where a man stands: write its letter, lower case for Black, then @ and a square, or files and ranks, for instance K@d4, k@a-d1-4 or S@e5-8"
)]
pub struct RegionError(String);

impl Region {
    /// True if the position has a man of the region's colour and role on one of the region's
    /// squares.
    pub fn holds(&self, position: &Position) -> bool {
        !(position.men(self.color, self.role) & self.squares).is_empty()
    }
}

impl FromStr for Region {
    type Err = RegionError;

    /// Parses a man and its squares, for example `K@d4`, `k@a-d1-4`, `S@e5-8` or `M@a-h3`. Accepts
    /// the letters of both letterings.
    fn from_str(text: &str) -> Result<Region, RegionError> {
        let read = || {
            let (man, squares) = text.split_once('@')?;
            let mut letters = man.chars();
            let (letter, None) = (letters.next()?, letters.next()) else {
                return None;
            };
            let upper = letter.to_ascii_uppercase();
            let role = Lettering::Makruk
                .role(upper)
                .or(Lettering::Asean.role(upper))?;
            let color = match letter.is_ascii_uppercase() {
                true => Color::White,
                false => Color::Black,
            };
            let (files, rest) = range(squares, b'a')?;
            let (ranks, rest) = range(rest, b'1')?;
            let inside =
                |square: Square| files.contains(&square.file()) && ranks.contains(&square.rank());
            rest.is_empty().then(|| Region {
                color,
                role,
                squares: Square::all().filter(|&square| inside(square)).collect(),
            })
        };
        read()
            .filter(|region| !region.squares.is_empty())
            .ok_or_else(|| RegionError(text.to_string()))
    }
}

/// Parses the name of a file or a rank, or a range of names such as `a-d`. `first` is the name of
/// the first file or rank, `a` or `1`, which is numbered 0. Returns the range of numbers with the
/// rest of the text.
fn range(text: &str, first: u8) -> Option<(std::ops::RangeInclusive<u8>, &str)> {
    let one = |text: &str| {
        let byte = *text.as_bytes().first()?;
        (first..first + 8).contains(&byte).then(|| byte - first)
    };
    let from = one(text)?;
    match text[1..].strip_prefix('-') {
        Some(rest) => {
            let to = one(rest)?;
            Some((from..=to, &rest[1..]))
        }
        None => Some((from..=from, &text[1..])),
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        };
        let squares: Vec<String> = self.squares.map(|square| square.to_string()).collect();
        write!(f, "{letter} on {}", squares.join(" "))
    }
}

/// The criteria for positions. An omitted criterion matches every position. Results and margins are
/// those under a fresh count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criteria {
    /// The rule set.
    pub rules: RuleSet,
    /// The side to move; White is the side that the ending names first. If None, either side may be
    /// to move.
    pub turn: Option<Color>,
    /// The category for the side to move.
    pub category: Option<Category>,
    /// The range of moves to mate, with nothing counted.
    pub dtm: Option<RangeInclusive<u32>>,
    /// The margin: the moves that the count leaves minus the moves that the winner needs. With 0,
    /// the winner needs every move that is left; with -1, it needs one move more.
    pub margin: Option<i32>,
    /// True if exactly one of several moves must keep the result.
    pub only_move: bool,
    /// The effect of a capture.
    pub capture: Option<Capture>,
    /// The result of promoting at once.
    pub promotion: Option<Promotion>,
    /// True to match only mutual zugzwang: each side would get a better result if it were the
    /// other's turn.
    pub zugzwang: bool,
    /// The kind that all moves that keep the result must have.
    pub first_move: Option<FirstMove>,
    /// Men that must be on given squares.
    pub men: Vec<Region>,
}

/// The effect of a capture on the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capture {
    /// A capture gives up a win that another move keeps.
    ThrowsWin,
    /// The bare king draws by a capture, and loses with every other move.
    SavesKing,
}

/// The result of promoting at once in a won position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// Some promotion gives up the win.
    ThrowsWin,
    /// Some promotion wins.
    Wins,
    /// Promotion wins, and every other move gives up the win.
    Only,
}

/// The kind of move that keeps the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FirstMove {
    /// No capture and no check.
    Quiet,
    /// A check.
    Check,
    /// A capture.
    Capture,
    /// A promotion.
    Promotion,
}

impl Capture {
    /// The name in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Capture::ThrowsWin => "throws-win",
            Capture::SavesKing => "saves-king",
        }
    }

    /// The effect of a capture with this name.
    pub fn from_name(name: &str) -> Option<Capture> {
        let mut all = [Capture::ThrowsWin, Capture::SavesKing].into_iter();
        all.find(|capture| capture.name() == name)
    }
}

impl Promotion {
    /// All results of a promotion.
    pub const ALL: [Promotion; 3] = [Promotion::ThrowsWin, Promotion::Wins, Promotion::Only];

    /// The name in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Promotion::ThrowsWin => "throws-win",
            Promotion::Wins => "wins",
            Promotion::Only => "only",
        }
    }

    /// The result of a promotion with this name.
    pub fn from_name(name: &str) -> Option<Promotion> {
        let mut all = Promotion::ALL.into_iter();
        all.find(|promotion| promotion.name() == name)
    }
}

impl FirstMove {
    /// All kinds of moves.
    pub const ALL: [FirstMove; 4] = [
        FirstMove::Quiet,
        FirstMove::Check,
        FirstMove::Capture,
        FirstMove::Promotion,
    ];

    /// The name in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            FirstMove::Quiet => "quiet",
            FirstMove::Check => "check",
            FirstMove::Capture => "capture",
            FirstMove::Promotion => "promotion",
        }
    }

    /// The kind of move with this name.
    pub fn from_name(name: &str) -> Option<FirstMove> {
        let mut all = FirstMove::ALL.into_iter();
        all.find(|first| first.name() == name)
    }
}

impl Criteria {
    /// Criteria that match every position with White to move.
    pub fn new(rules: RuleSet) -> Criteria {
        Criteria {
            rules,
            turn: Some(Color::White),
            category: None,
            dtm: None,
            margin: None,
            only_move: false,
            capture: None,
            promotion: None,
            zugzwang: false,
            first_move: None,
            men: Vec::new(),
        }
    }

    /// True if the criteria require that the side to move can promote.
    pub(super) fn needs_promotion(&self) -> bool {
        self.promotion.is_some() || self.first_move == Some(FirstMove::Promotion)
    }

    /// True if the criteria can match only while the side to move is winning, because they concern
    /// moves that keep or give up a win.
    fn needs_win(&self) -> bool {
        self.promotion.is_some() || self.capture == Some(Capture::ThrowsWin)
    }

    /// The metric of the section to search: the one whose cells exclude the most positions.
    pub(super) fn metric(&self, material: CanonicalMaterial) -> Metric {
        let by_count = self.margin.is_some() || self.category.is_some() || self.promotion.is_some();
        match !mate_decides(material) && by_count {
            true => Metric::Dth(self.rules),
            false => Metric::Dtm,
        }
    }

    /// False if a cell's code shows that the position cannot match, under this metric and with this
    /// side to move. If true, the position may still fail to match.
    pub(super) fn may_match(
        &self,
        material: CanonicalMaterial,
        metric: Metric,
        turn: Color,
        code: Code,
    ) -> bool {
        let men = material.material();
        let win = match code {
            Code::Base => return true,
            Code::Draw if self.needs_win() => return false,
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
        if (self.zugzwang && mover_wins) || (self.needs_win() && !mover_wins) {
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
        // With men on both sides, or with bia, the distance to mate does not determine the verdict.
        // In ASEAN chess the distance to honor is in plies.
        if !mate_decides(material) && (metric == Metric::Dtm || self.rules.has_fifty_move_rule()) {
            return true;
        }
        let available = moves_available(self.rules, men, winner, turn, &Count::Fresh);
        let outcome = sakmak::rules::Outcome::Win { winner, moves };
        let judged = category(outcome, turn, available);
        // In a lost position no move keeps the result.
        if self.only_move && judged == Category::Loss {
            return false;
        }
        let fits = self.category.is_none_or(|wanted| {
            wanted == judged || (judged.is_count_draw() && self.late_captures_matter(material))
        });
        let margin = available.map(|available| available as i32 - moves as i32);
        fits && self.margin.is_none_or(|wanted| margin == Some(wanted))
    }

    /// True if a forced capture by the bare king may save a win from the fifty-move rule, which the
    /// capture restarts.
    fn late_captures_matter(&self, material: CanonicalMaterial) -> bool {
        self.rules.has_fifty_move_rule() && late_captures_matter(material)
    }

    /// The largest number of moves that a bare king's loss may take in a matching position. `None`
    /// if there is no limit, because draws or losses of any length can match.
    pub(super) fn longest_loss(&self, ending: CanonicalMaterial, bare: Color) -> Option<u32> {
        let men = ending.material();
        let available = moves_available(self.rules, men, !bare, bare, &Count::Fresh);
        let by_dtm = self.dtm.as_ref().map(|range| *range.end());
        let by_margin = self.margin.zip(available).map(|(margin, available)| {
            let moves = i64::from(available) - i64::from(margin);
            u32::try_from(moves).unwrap_or(0)
        });
        let lost_by_mate =
            self.category == Some(Category::Loss) && !self.late_captures_matter(ending);
        let by_category = available.filter(|_| lost_by_mate);
        [by_dtm, by_margin, by_category].into_iter().flatten().min()
    }

    /// True if a position with this value matches the criteria.
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

    /// True if the position, which has this value, meets the criteria on its moves and on zugzwang.
    pub(super) fn fits_moves(
        &self,
        tablebase: &Tablebase,
        position: &Position,
        value: &Value,
    ) -> Result<bool, ProbeError> {
        let game = self.rules.game();
        if self.zugzwang && !is_zugzwang(tablebase, game, position)? {
            return Ok(false);
        }
        let by_result = self.capture.is_some() || self.promotion.is_some();
        if !self.only_move && !by_result && self.first_move.is_none() {
            return Ok(true);
        }
        if self.capture.is_some() && !has_capture(game, position) {
            return Ok(false);
        }
        if self.needs_promotion() && !can_promote(game, position) {
            return Ok(false);
        }
        if self.only_move {
            let points = value.category.points();
            let has_only_move =
                || tablebase.has_only_move(position, self.rules, &Count::Fresh, points);
            if points < 0 || !has_only_move()? {
                return Ok(false);
            }
            if !by_result && self.first_move.is_none() {
                return Ok(true);
            }
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
        let promotes = |ranked: &RankedMove| ranked.m.promotion.is_some();
        let promotion_fits = self.promotion.is_none_or(|promotion| {
            best == 1
                && match promotion {
                    Promotion::ThrowsWin => {
                        let mut all = moves.iter().zip(&points);
                        all.any(|(ranked, &points)| promotes(ranked) && points < 1)
                    }
                    Promotion::Wins => keeping().any(promotes),
                    Promotion::Only => keeping().count() < moves.len() && keeping().all(promotes),
                }
        });
        let is_of_kind = |ranked: &RankedMove, first: FirstMove| {
            let check = position.play(ranked.m).is_check();
            match first {
                FirstMove::Quiet => !ranked.capture && !check,
                FirstMove::Check => check,
                FirstMove::Capture => ranked.capture,
                FirstMove::Promotion => promotes(ranked),
            }
        };
        let first_fits = self
            .first_move
            .is_none_or(|first| best >= 0 && keeping().all(|ranked| is_of_kind(ranked, first)));
        captures_fit && promotion_fits && first_fits
    }
}

/// The margin: the moves that the count leaves minus the moves that the winner needs. None in a
/// draw, or if nothing is counted.
pub fn margin(value: &Value) -> Option<i32> {
    let available = value.allowance?.moves_available;
    Some(available as i32 - needed(value)? as i32)
}

/// The number of moves that the winner needs: the distance to honor or, without one, to mate.
/// `None` in a draw.
pub(super) fn needed(value: &Value) -> Option<u32> {
    let needed = value.dth.unwrap_or(value.dtm).moves()?;
    Some(needed.0.into())
}

/// True if the distance to mate alone determines the verdicts of an ending, as it does against a
/// bare king if there are no bia.
fn mate_decides(material: CanonicalMaterial) -> bool {
    material.is_bare() && material.is_pawnless()
}

/// True if the side to move can promote a bia.
pub(super) fn can_promote(game: Game, position: &Position) -> bool {
    let moves = position.legal_moves_in(game);
    moves.iter().any(|m| m.promotion.is_some())
}

fn has_capture(game: Game, position: &Position) -> bool {
    let moves = position.legal_moves_in(game);
    moves.iter().any(|&m| position.is_capture(m))
}

/// True if each side would get a better result if it were the other's turn, with nothing counted.
fn is_zugzwang(tablebase: &Tablebase, game: Game, position: &Position) -> Result<bool, ProbeError> {
    let passed = Position::new(
        Color::ALL.map(|color| position.by_color(color)),
        sakmak::board::Role::ALL.map(|role| position.by_role(role)),
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
    let now = points(tablebase.dtm_in(game, position)?);
    Ok(now < -points(tablebase.dtm_in(game, &passed)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_and_its_squares_are_read() {
        let region: Region = "K@a-d1-4".parse().unwrap();
        assert_eq!((region.color, region.role), (Color::White, Role::King));
        assert_eq!(region.squares.len(), 16);
        for (text, squares) in [("k@d4", 1), ("s@e5-8", 4), ("B@a-h3", 8), ("m@a-h1-8", 64)] {
            assert_eq!(
                text.parse::<Region>().unwrap().squares.len(),
                squares,
                "{text}"
            );
        }
        for text in [
            "", "K", "K@", "K@i1", "K@a9", "KK@a1", "X@a1", "K@d-a1", "K@a1b", "K@1a", "é@a1",
        ] {
            assert!(text.parse::<Region>().is_err(), "{text}");
        }
    }

    #[test]
    fn late_captures_may_win_at_any_distance_to_mate() {
        let may_match = |name: &str, category, turn, moves| {
            let wanted = Criteria {
                category: Some(category),
                ..Criteria::new(RuleSet::Asean)
            };
            let code = Code::WhiteWins(moves);
            wanted.may_match(name.parse().unwrap(), Metric::Dtm, turn, code)
        };
        for (category, turn) in [
            (Category::Win, Color::White),
            (Category::Loss, Color::Black),
        ] {
            assert!(may_match("KNMMvK", category, turn, 60));
            assert!(!may_match("KNNSvK", category, turn, 60));
            let longest = |name: &str| {
                let wanted = Criteria {
                    category: Some(category),
                    ..Criteria::new(RuleSet::Asean)
                };
                wanted.longest_loss(name.parse().unwrap(), Color::Black)
            };
            assert_eq!(longest("KNMMvK"), None);
            assert_eq!(longest("KNNSvK").is_some(), category == Category::Loss);
        }
    }
}
