//! What the tables say of a game, in sentences.

use super::facts::{CountBegun, End, Facts};
use super::game::Annotation;
use super::judge::Judged;
use super::moment::Known;
use crate::board::Color;
use crate::rules::{Category, LimitKind};

/// The most mistakes that a summary names.
const MOST_MISTAKES: usize = 8;
/// The most parts of the course that a summary names.
const MOST_SPANS: usize = 8;
/// The most moves that are named for having cost something.
const MOST_COSTS: usize = 4;

/// A side's name at the beginning of a sentence.
pub(super) fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A number of things.
fn number_of(n: u32, thing: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {thing}{plural}")
}

/// A known position: who wins, in how many moves, and how many are left.
pub(super) fn standing(known: &Known) -> String {
    let category = known.category();
    let (Some(stronger), Some(needed)) = (known.stronger(), known.needed()) else {
        return match (category, known.stronger()) {
            (Category::Draw, _) | (_, None) => "drawn".to_string(),
            (_, Some(stronger)) => format!(
                "drawn by the count: {} can force mate, but not inside the count that comes when the last man falls",
                name(stronger)
            ),
        };
    };
    let aim = match known.value.dth {
        Some(_) => "has honor in",
        None => "mates in",
    };
    let stronger = name(stronger);
    let left = known.left();
    match (category.is_count_draw(), left) {
        (true, Some(left)) => {
            format!("drawn by the count: {stronger} {aim} {needed}, the count leaves {left}")
        }
        (false, Some(left)) if needed > 0 => format!(
            "{stronger} {aim} {needed} and has {}",
            number_of(left, "move")
        ),
        _ if needed == 0 => format!("{stronger} has mated"),
        _ => format!("{stronger} {aim} {needed}"),
    }
}

impl Annotation {
    /// What a mistake did, in words.
    pub(super) fn mistake_in_words(&self, ply: usize, judged: &Judged) -> String {
        let what = match (judged.best, judged.played) {
            (Category::Win, Category::Loss) => "throws the win away and loses",
            (Category::Win, _) => "throws the win away",
            _ => "loses",
        };
        let after = self.moments[ply + 1].known.as_ref().map(standing);
        match after {
            Some(after) => format!("{what} ({after})"),
            None => what.to_string(),
        }
    }

    /// The moves that would have kept what a mistake gave up.
    pub(super) fn better_in_words(&self, ply: usize, judged: &Judged) -> String {
        let board = &self.moments[ply].state.board;
        let mut moves = judged.keeping.iter().map(|&m| board.san(m.into()));
        let first = self.name_at(ply, &moves.next().unwrap_or_default());
        let kept = match judged.best {
            Category::Win => "wins",
            _ => "draws",
        };
        match judged.keeping.len() {
            1 => format!("only {first} {kept}"),
            2 | 3 => {
                let others: Vec<String> = moves.collect();
                format!("{first} {kept}, and so does {}", others.join(" or "))
            }
            n => format!("{first} {kept}, and so do {} other moves", n - 1),
        }
    }

    /// The game as a whole, a sentence each.
    pub fn summary(&self) -> Vec<String> {
        let facts = self.facts();
        let mut sentences = Vec::new();
        sentences.push(self.beginning(&facts));
        for count in &facts.counts {
            sentences.extend(self.count_in_words(count));
        }
        if facts.counts.is_empty() && !self.last().state.board.position().is_pawnless() {
            sentences.push("No count began: there were bia on the board to the end.".to_string());
        }
        sentences.extend(self.other_reading());
        sentences.extend(self.course_in_words(&facts));
        sentences.extend(self.mistakes_in_words(&facts));
        sentences.extend(self.costs_in_words(&facts));
        sentences.push(self.end_in_words(&facts));
        sentences.extend(self.result_in_words(&facts));
        sentences.extend(self.notes());
        sentences
    }

    fn beginning(&self, facts: &Facts) -> String {
        let Some(moment) = facts.known_from else {
            return match self.missing {
                Some(missing) => format!(
                    "No position of the game is in the tables here: that of {missing} is missing."
                ),
                None => "No position of the game is in the tables.".to_string(),
            };
        };
        let known = self.moments[moment].known.as_ref();
        let (material, standing) = match known {
            Some(known) => (known.position.material().to_string(), standing(known)),
            None => Default::default(),
        };
        match moment.checked_sub(1) {
            None => {
                format!("The tables know the game from its beginning ({material}): {standing}.")
            }
            Some(ply) => {
                let played = self.move_name(ply);
                format!("The tables know the game from {played} on ({material}): {standing}.")
            }
        }
    }

    fn count_in_words(&self, count: &CountBegun) -> Option<String> {
        let from = match count.moment.checked_sub(1) {
            None => "From the beginning".to_string(),
            Some(ply) => format!("From {} on", self.move_name(ply)),
        };
        let limit = count.limit;
        let first = count.first_number;
        if !count.is_certain {
            return Some(format!(
                "{from} board's honor could be counted, limit {limit}; the game does not say whether it was."
            ));
        }
        let mut text = match (count.kind, count.side) {
            (LimitKind::PiecesHonor, Some(side)) => {
                format!(
                    "{from} {}'s bare king counts: limit {limit}, {first} is said first",
                    name(side)
                )
            }
            (_, Some(side)) => {
                format!(
                    "{from} {} counts board's honor: limit {limit}, {first} is said first",
                    name(side)
                )
            }
            _ => format!("{from} board's honor is counted: limit {limit}, {first} is said first"),
        };
        if let (Some(side), Some(left)) = (count.side, count.left) {
            text += &format!("; {} has {}", name(!side), number_of(left, "move"));
            if let Some(needed) = count.needed.filter(|_| {
                self.moments[count.moment]
                    .known
                    .is_some_and(|known| known.stronger() == Some(!side))
            }) {
                text += &format!(" and needs {needed}");
            }
        }
        Some(text + ".")
    }

    /// From where on a count of board's honor would change the verdict, if nobody says it ran.
    fn other_reading(&self) -> Option<String> {
        let differs = |known: &Known| {
            let (_, value) = known.if_counted?;
            Some(value.category != known.category())
        };
        let mut moments = self.moments.iter().enumerate();
        let (moment, _) =
            moments.find(|(_, at)| at.known.as_ref().and_then(differs) == Some(true))?;
        Some(format!(
            "If it was counted from the first moment, the verdict is another after {}: --count-from says when the count began.",
            self.move_name(moment.checked_sub(1)?)
        ))
    }

    fn course_in_words(&self, facts: &Facts) -> Option<String> {
        let (first, rest) = facts.course.split_first()?;
        if rest.is_empty() {
            return None;
        }
        let says = |winner: Option<Color>| match winner {
            Some(side) => format!("{} wins", name(side)),
            None => "drawn".to_string(),
        };
        let mut parts = vec![format!("at first {}", says(first.winner))];
        for span in rest.iter().take(MOST_SPANS) {
            let ply = span.from.saturating_sub(1);
            parts.push(format!(
                "after {} {}",
                self.move_name(ply),
                says(span.winner)
            ));
        }
        if rest.len() > MOST_SPANS {
            parts.push(format!("and {} changes more", rest.len() - MOST_SPANS));
        }
        Some(format!("The course: {}.", parts.join(", ")))
    }

    fn mistakes_in_words(&self, facts: &Facts) -> Vec<String> {
        if facts.mistakes.is_empty() {
            return match facts.known_from {
                Some(_) => vec!["No move there changed the verdict for the worse.".to_string()],
                None => Vec::new(),
            };
        }
        let mut sentences = Vec::new();
        for &ply in facts.mistakes.iter().take(MOST_MISTAKES) {
            if let Some(judged) = &self.plies[ply].judged {
                sentences.push(format!(
                    "{}?? {}; {}.",
                    self.move_name(ply),
                    self.mistake_in_words(ply, judged),
                    self.better_in_words(ply, judged)
                ));
            }
        }
        if let Some(more) = facts.mistakes.len().checked_sub(MOST_MISTAKES + 1) {
            sentences.push(format!(
                "{} more changed the verdict for the worse.",
                number_of(more as u32 + 1, "move")
            ));
        }
        for side in Color::ALL {
            let Some(ply) = facts.last_chance[side.index()] else {
                continue;
            };
            let Some(judged) = &self.plies[ply].judged else {
                continue;
            };
            let aim = match judged.best {
                Category::Win => "to win",
                _ => "to draw",
            };
            let board = &self.moments[ply].state.board;
            let best = judged.keeping.first().map(|&m| board.san(m.into()));
            sentences.push(format!(
                "{}'s last chance {aim} was {}.",
                name(side),
                self.name_at(ply, &best.unwrap_or_default())
            ));
        }
        sentences
    }

    fn costs_in_words(&self, facts: &Facts) -> Vec<String> {
        let mut sentences = Vec::new();
        for side in Color::ALL {
            let all = facts.costs[side.index()];
            if all == 0 {
                continue;
            }
            let mut costs: Vec<(u32, usize)> = self
                .plies
                .iter()
                .enumerate()
                .filter(|&(ply, _)| self.player(ply) == side)
                .filter_map(|(ply, played)| Some((played.judged.as_ref()?.cost, ply)))
                .filter(|&(cost, _)| cost > 0)
                .collect();
            costs.sort_by_key(|&(cost, ply)| (std::cmp::Reverse(cost), ply));
            let named: Vec<String> = costs
                .iter()
                .take(MOST_COSTS)
                .map(|&(cost, ply)| format!("{} ({cost})", self.move_name(ply)))
                .collect();
            let most = match costs.len() > MOST_COSTS {
                true => ", most of them by ",
                false => ": ",
            };
            sentences.push(format!(
                "{} gave away {} without changing the verdict{most}{}.",
                name(side),
                number_of(all, "move"),
                named.join(", ")
            ));
        }
        sentences
    }

    fn end_in_words(&self, facts: &Facts) -> String {
        let last = match self.plies.len().checked_sub(1) {
            Some(ply) => self.move_name(ply),
            None => return "No move was played.".to_string(),
        };
        match facts.end {
            End::Checkmate(side) => {
                let mut text = format!("{} mated with {last}", name(side));
                let counts = facts.counts.iter().rev();
                let mut counts =
                    counts.filter(|count| count.is_certain && count.side == Some(!side));
                if let Some(count) = counts.next() {
                    let plies = count.moment..self.plies.len();
                    let used = plies.filter(|&ply| self.player(ply) == side).count();
                    if let Some(left) = count.left {
                        text += &format!(", move {used} of the {left} that the count left");
                    }
                    if let Some(needed) = count.needed {
                        text += &format!("; {needed} would have been enough");
                    }
                }
                text + "."
            }
            End::Stalemate => format!("{last} is stalemate: drawn."),
            End::Insufficient => format!("After {last} nobody can mate: drawn."),
            End::CountOver => {
                let over = facts.over.unwrap_or_default();
                let since = match over.checked_sub(1) {
                    Some(ply) => format!("with {}", self.move_name(ply)),
                    None => "at the beginning".to_string(),
                };
                match self.plies.len() - over {
                    0 => format!("The count was over {since}: drawn."),
                    late => format!(
                        "The count was over {since}: the draw could have been claimed {} earlier.",
                        number_of(late as u32, "ply").replace("plys", "plies")
                    ),
                }
            }
            End::Repetition => format!("After {last} the position was there for the third time."),
            End::Open => match &self.last().known {
                Some(known) => format!("The game ends after {last}: {}.", standing(known)),
                None => format!("The game ends after {last}."),
            },
        }
    }

    /// Whether the result agrees with the board and the tables.
    fn result_in_words(&self, facts: &Facts) -> Option<String> {
        if self.stop.is_some() {
            return None;
        }
        let result = self.game.result();
        let claimed = match result {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            "1/2-1/2" => None,
            _ => return None,
        };
        let late = facts.over.filter(|&over| over < self.plies.len());
        let on_board = match facts.end {
            End::Checkmate(side) => Some(Some(side)),
            End::Stalemate | End::Insufficient | End::CountOver => Some(None),
            End::Repetition => Some(None).filter(|_| claimed.is_none()),
            End::Open => None,
        };
        if let Some(true_result) = on_board {
            if true_result != claimed {
                return Some(format!("The result, {result}, is not that of the board."));
            }
            if let (Some(over), End::Checkmate(side)) = (late, facts.end) {
                return Some(format!(
                    "{} could have claimed a draw after {}: the count was over before the mate.",
                    name(!side),
                    self.move_name(over.saturating_sub(1))
                ));
            }
            return Some(format!("The result, {result}, is right."));
        }
        let known = self.last().known.as_ref()?;
        let true_result = known.winner();
        if true_result == claimed {
            return Some(format!("The result, {result}, agrees with the tables."));
        }
        let early = match (claimed, true_result) {
            (None, Some(winner)) => {
                let left = known
                    .left()
                    .map(|left| format!(" and had {}", number_of(left, "move")));
                format!(
                    "the draw came too early, for {} wins in {}{}",
                    name(winner),
                    known.needed().unwrap_or_default(),
                    left.unwrap_or_default()
                )
            }
            (Some(winner), None) => format!("{} gave up a draw", name(!winner)),
            _ => format!("{} gave up a won game", true_result.map_or("", name)),
        };
        Some(format!(
            "The result, {result}, does not agree with the tables: {early}."
        ))
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some((said, right)) = self.wrong_number {
            notes.push(format!(
                "The bare king said {said} where its count was at {right}; it is judged by the right number."
            ));
        }
        if self.cannot_count {
            notes.push(
                "The count cannot begin with the move that --count-from names: there board's honor is not counted."
                    .to_string(),
            );
        }
        let last = self.moments.len() - 1;
        if let (Some(side), End::Checkmate(winner)) = (self.counting_side, self.facts().end)
            && side == winner
            && self.is_two_sided(last)
        {
            notes.push(format!(
                "{} mated while it was counting, which is a draw in makruk and ouk; the tables do not know that rule.",
                name(side)
            ));
        }
        if let Some(stop) = &self.stop {
            notes.push(format!("The game is read no further: {stop}."));
        }
        notes
    }
}
