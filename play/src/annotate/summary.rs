//! Summarises a game in sentences.

use super::facts::{CountBegun, Facts, Termination};
use super::game::{Annotation, Reach};
use super::moment::ProbedPosition;
use super::words::{name, number_of, standing};
use sakmak::board::{Color, Role};
use sakmak::rules::{Category, LimitKind};

/// The largest number of mistakes that a summary lists.
const MOST_MISTAKES: usize = 8;
/// The largest number of changes of the verdict that a summary lists.
const MOST_SPANS: usize = 8;
/// The largest number of wasted moves that a summary lists.
const MOST_COSTS: usize = 4;

impl Annotation {
    /// Summarises the game, with one string for each sentence.
    pub fn summary(&self) -> Vec<String> {
        let facts = self.facts();
        let mut sentences = Vec::new();
        sentences.push(self.beginning(&facts));
        for count in &facts.counts {
            sentences.extend(self.count_in_words(count));
        }
        let is_pawnless = self.last().state.board.position().is_pawnless();
        if facts.counts.is_empty() && !is_pawnless && !self.rules.counts_with_bia() {
            sentences.push("No count began: there were bia on the board to the end.".to_string());
        }
        sentences.extend(self.other_reading());
        sentences.extend(self.course_in_words(&facts));
        sentences.extend(self.mistakes_in_words(&facts));
        sentences.extend(self.costs_in_words(&facts));
        sentences.push(self.end_in_words(&facts));
        sentences.extend(self.result_in_words(&facts));
        sentences.extend(self.notes(&facts));
        sentences
    }

    fn beginning(&self, facts: &Facts) -> String {
        let Some(moment) = facts.known_from else {
            return match self.missing.filter(|&missing| self.reach.has(missing)) {
                Some(missing) if self.lacks_rules => format!(
                    "No position of the game is in the tables here: the table of {missing} lacks {}.",
                    self.rules
                ),
                Some(missing) => format!(
                    "No position of the game is in the tables here: the table of {missing} is missing."
                ),
                None => self.distance_to_tables(),
            };
        };
        let known = self.moments[moment].known.as_ref();
        let (material, standing) = match known {
            Some(known) => (known.position.material().to_string(), standing(known)),
            None => Default::default(),
        };
        match moment.checked_sub(1) {
            None => {
                format!("The tables cover the game from its beginning ({material}): {standing}.")
            }
            Some(ply) => {
                let played = self.move_name(ply);
                format!("The tables cover the game from {played} on ({material}): {standing}.")
            }
        }
    }

    /// For a game without positions in the tables, states the numbers of men and of bia at the end.
    /// Neither number ever grows, so the last position is the nearest to the tables.
    fn distance_to_tables(&self) -> String {
        let Reach { most_men, bia } = self.reach;
        let board = &self.last().state.board;
        let men = board.position().occupied().len();
        let of_bia = match board.position().by_role(Role::Bia).len() {
            0 => ", no bia among them".to_string(),
            1 => ", one of them a bia".to_string(),
            n => format!(", {n} of them bia"),
        };
        let leaps = match men <= most_men
            && board.position().is_pawnless()
            && !board.leapers().is_empty()
        {
            true => ", and a king or met may still leap",
            false => "",
        };
        let tables = match (most_men, bia) {
            (0, _) => "there are no tables here".to_string(),
            (most, false) => format!("the tables here cover up to {most} men, without bia"),
            (most, true) => format!("the tables here cover up to {most} men"),
        };
        let it = match self.stop {
            Some(_) => "the part that can be read",
            None => "it",
        };
        format!(
            "No position of the game is in the tables: {it} ends with {men} men{of_bia}{leaps}; {tables}."
        )
    }

    fn count_in_words(&self, count: &CountBegun) -> Option<String> {
        let start = match count.moment.checked_sub(1) {
            None => "the first move".to_string(),
            Some(ply) => self.move_name(ply),
        };
        let limit = count.limit;
        let first = count.first_number;
        if !count.is_certain {
            return Some(format!(
                "From {start} on, board's honor could be counted, with limit {limit}; the game does not say whether it was."
            ));
        }
        let limit = match count.in_place_of {
            Some(before) => format!("limit {limit} in place of {before}"),
            None => format!("limit {limit}"),
        };
        let counted = match (count.kind, count.side) {
            (LimitKind::PiecesHonor, Some(side)) => {
                format!("the count for {}'s bare king", name(side))
            }
            (_, Some(side)) => format!("{}'s count of board's honor", name(side)),
            _ => "the count of board's honor".to_string(),
        };
        let mut text = format!("With {start}, {counted} begins");
        let known = self.moments[count.moment].known;
        if self.is_mated(count.moment) {
            return Some(format!("{text} ({limit}), but the same move mates."));
        }
        if count.first_number > count.limit {
            return Some(format!(
                "{text} at {first} ({limit}), so the limit is exceeded already."
            ));
        }
        text += &format!(" at {first} ({limit})");
        if let (Some(side), Some(left)) = (count.side, count.left) {
            text += &format!("; {} has {}", name(!side), number_of(left, "move"));
            if let Some(needed) = count
                .needed
                .filter(|_| known.is_some_and(|known| known.stronger() == Some(!side)))
            {
                text += &format!(" and needs {needed}");
            }
        }
        Some(text + ".")
    }

    /// States where the verdict first differs if board's honor was counted from its first possible
    /// moment. None if the game shows whether it was counted, or if the verdict never differs.
    fn other_reading(&self) -> Option<String> {
        let differs = |known: &ProbedPosition| {
            let (_, value) = known.if_counted?;
            Some(value.category != known.category())
        };
        let mut moments = self.moments.iter().enumerate();
        let (moment, _) =
            moments.find(|(_, at)| at.known.as_ref().and_then(differs) == Some(true))?;
        Some(format!(
            "If board's honor was counted from its first possible moment, the verdict first differs {}: annotate with the move with which the count began, if it is known.",
            self.after(moment)
        ))
    }

    /// Names a moment by the move before it, for example "after 41. Kd4".
    fn after(&self, moment: usize) -> String {
        match moment.checked_sub(1) {
            Some(ply) => format!("after {}", self.move_name(ply)),
            None => "at the beginning".to_string(),
        }
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
            parts.push(format!("{} {}", self.after(span.from), says(span.winner)));
        }
        if let Some(more @ 1..) = rest.len().checked_sub(MOST_SPANS) {
            parts.push(format!("and {}", number_of(more as u32, "more change")));
        }
        Some(format!("The course: {}.", parts.join(", ")))
    }

    fn mistakes_in_words(&self, facts: &Facts) -> Vec<String> {
        if facts.mistakes.is_empty() {
            return match facts.known_from {
                Some(_) => vec![
                    "No move in a position of the tables changed the verdict for the worse."
                        .to_string(),
                ],
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
                    self.instead_in_words(ply, judged)
                ));
            }
        }
        if let Some(more) = facts.mistakes.len().checked_sub(MOST_MISTAKES + 1) {
            sentences.push(format!(
                "{} changed the verdict for the worse.",
                number_of(more as u32 + 1, "more move")
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
            let best = judged.keeping.first().map(|&m| board.san(m));
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
            Termination::Checkmate(side) => {
                let counts = facts.counts.iter().rev();
                let mut counts =
                    counts.filter(|count| count.is_certain && count.side == Some(!side));
                let within = counts.next().map(|count| self.mate_in_count(count, side));
                format!(
                    "{} mated with {last}{}.",
                    name(side),
                    within.unwrap_or_default()
                )
            }
            Termination::Stalemate => format!("{last} is stalemate: drawn."),
            Termination::Insufficient => format!("After {last} neither side can mate: drawn."),
            Termination::CountOver => {
                let over = facts.over.unwrap_or_default();
                format!(
                    "The count was over {}: {}.",
                    self.with(over),
                    self.claim(over)
                )
            }
            Termination::Repetition => {
                let moment = facts.repetition.unwrap_or_default();
                let place = self.with(moment);
                format!(
                    "A position occurred for the third time {place}: {}.",
                    self.claim(moment)
                )
            }
            Termination::Open => match &self.last().known {
                Some(known) => format!("The game ends after {last}: {}.", standing(known)),
                None => format!("The game ends after {last}."),
            },
        }
    }

    /// Compares the number of moves to a mate with the number that the count allowed.
    fn mate_in_count(&self, count: &CountBegun, side: Color) -> String {
        let plies = count.moment..self.plies.len();
        let used = plies.filter(|&ply| self.player(ply) == side).count() as u32;
        if used == 0 {
            return ", before the first number was counted".to_string();
        }
        let left = match count.left {
            Some(0) => return ", after the count was over".to_string(),
            Some(left) => left,
            None => return String::new(),
        };
        let mut text = match used > left {
            true => format!(
                ", move {used}, though the count left only {}",
                number_of(left, "move")
            ),
            false => format!(", move {used} of the {left} that the count left"),
        };
        // With men on both sides, the moves needed may lead to a capture of the last man instead of
        // mate.
        if let Some(needed) = count
            .needed
            .filter(|_| count.kind == LimitKind::PiecesHonor)
        {
            text += &match needed {
                _ if needed > left => format!("; {needed} were needed against the best defence"),
                _ if needed < used => format!("; {needed} would have been enough"),
                _ if needed == used => "; fewer would not have been enough".to_string(),
                _ => format!("; the best defence would have held out for {needed}"),
            };
        }
        text
    }

    /// Names a moment by the move that leads to it, for example "with 41. Kd4".
    fn with(&self, moment: usize) -> String {
        match moment.checked_sub(1) {
            Some(ply) => format!("with {}", self.move_name(ply)),
            None => "at the beginning".to_string(),
        }
    }

    /// States that the game is drawn. If a draw could already be claimed at `moment`, states how
    /// many plies before the end of the game that was.
    fn claim(&self, moment: usize) -> String {
        match self.plies.len() - moment {
            0 => "drawn".to_string(),
            1 => "the draw could have been claimed a ply earlier".to_string(),
            late => format!("the draw could have been claimed {late} plies earlier"),
        }
    }

    /// States whether the game's result agrees with the board and the tables.
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
            Termination::Checkmate(side) => Some(Some(side)),
            Termination::Stalemate | Termination::Insufficient | Termination::CountOver => {
                Some(None)
            }
            Termination::Repetition => Some(None).filter(|_| claimed.is_none()),
            Termination::Open => None,
        };
        if let Some(true_result) = on_board {
            if true_result != claimed {
                return Some(format!(
                    "The result, {result}, does not match the final position."
                ));
            }
            if let (Some(over), Termination::Checkmate(side)) = (late, facts.end) {
                return Some(format!(
                    "{} could have claimed a draw {}: the count was over before the mate.",
                    name(!side),
                    self.after(over)
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
                    .map(|left| format!(" and has {}", number_of(left, "move")));
                format!(
                    "the draw came too early: {} still wins in {}{}",
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

    fn notes(&self, facts: &Facts) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some((said, right)) = self.wrong_number {
            notes.push(format!(
                "The side with the bare king announced {said}, but its count was at {right}; the game is judged by the correct number."
            ));
        }
        if self.numbers_are_no_count && !facts.counts.is_empty() {
            notes.push(
                "The numbers in the comments do not follow one another as in a count, so they are ignored."
                    .to_string(),
            );
        }
        if let Some(moment) = facts
            .repetition
            .filter(|_| facts.end != Termination::Repetition)
        {
            notes.push(format!(
                "A position occurred for the third time {}: a draw could be claimed; the tables do not consider repetitions.",
                self.with(moment)
            ));
        }
        if self.cannot_count {
            notes.push(
                "The count cannot begin with the given move, because board's honor cannot be counted there."
                    .to_string(),
            );
        }
        let last = self.moments.len() - 1;
        if let (Some(side), Termination::Checkmate(winner)) = (self.counting_side, facts.end)
            && side == winner
            && self.is_before_pieces_honor(last)
        {
            notes.push(format!(
                "{} mated while it was counting, which is a draw in makruk and ouk; the tables ignore that rule.",
                name(side)
            ));
        }
        if let Some(stop) = &self.stop {
            notes.push(format!("The rest of the game is not read: {stop}."));
        }
        notes
    }
}
