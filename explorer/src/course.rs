//! Questions of a course in the count: a position, what is asked about it, and the right answer by
//! the rules of the library. Only questions about promotion need tables.

use serde::Serialize;

use super::answer::json;
use super::lesson_questions::{Asked, allowance, said_next, with_count};
use super::random::{any_seed, placed};
use super::refusal::Refusal;
use super::values;
use sakmak::board::{Color, Move, Role, SquareSet};
use sakmak::game::GameState;
use sakmak::material::{Army, CanonicalMaterial};
use sakmak::probe::Tablebase;
use sakmak::random::Numbers;
use sakmak::rules::{Count, RuleSet};
use sakmak::rules::{boards_honor_limit, pieces_honor_limit, pieces_honor_limits};

/// The maximum number of positions to try.
const TRIES: u32 = 20_000;
/// The number of promotions of one kind after which an ending is taken to have no others.
const MOST_OTHERS: usize = 60;

/// A lesson of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lesson {
    /// The limit of the count.
    Limit,
    /// The number that the counting side says.
    Number,
    /// The moves that are left.
    Left,
    /// The count that begins, if one does.
    Start,
    /// A capture during the count.
    Capture,
    /// Board's honor.
    Board,
    /// A count that stops, and mate by the counting side.
    Stop,
    /// The capture of the last man.
    Baring,
    /// The end of the last bia.
    Bia,
    /// Promotion now or later, from the tables of an ending.
    Promote,
}

const LESSONS: [(&str, Lesson); 10] = [
    ("limit", Lesson::Limit),
    ("number", Lesson::Number),
    ("left", Lesson::Left),
    ("start", Lesson::Start),
    ("capture", Lesson::Capture),
    ("board", Lesson::Board),
    ("stop", Lesson::Stop),
    ("baring", Lesson::Baring),
    ("bia", Lesson::Bia),
    ("promote", Lesson::Promote),
];

/// A question of the course, as asked for in the parameters of a URL.
#[derive(Clone, Debug)]
pub struct CourseQuestion {
    name: &'static str,
    lesson: Lesson,
    rules: RuleSet,
    /// The ending of a question about promotion.
    ending: Option<CanonicalMaterial>,
    seed: u64,
}

#[derive(Serialize)]
struct Document {
    lesson: &'static str,
    rules: RuleSet,
    seed: u64,
    fen: String,
    /// The kind of question.
    ask: &'static str,
    /// The move that the question is about.
    #[serde(rename = "move")]
    played: Option<Played>,
    /// The count as the question states it.
    said: Option<u32>,
    limit: Option<u32>,
    /// The number of moves to mate, as the question gives it.
    needed: Option<u32>,
    /// The answers to choose from: numbers, or words.
    options: Vec<String>,
    /// The index of the right answer.
    right: usize,
    /// The men on the board after the move.
    men: usize,
    /// The moves that the count leaves White after the move.
    left: Option<u32>,
}

#[derive(Serialize)]
struct Played {
    uci: String,
    san: String,
    /// The FEN after the move, with its count.
    fen: String,
}

impl CourseQuestion {
    /// Parses the parameters `lesson`, `rules`, `ending` (for the lesson on promotion) and `seed`.
    ///
    /// # Errors
    ///
    /// If there is no lesson, or a value is invalid.
    pub fn parse(
        parameters: impl Iterator<Item = (String, String)>,
    ) -> Result<CourseQuestion, Refusal> {
        let (mut lesson, mut rules, mut ending, mut seed) = (None, RuleSet::Makruk, None, None);
        for (name, value) in parameters {
            let bad = |what: &str| Refusal::input(format!("{name} is {value:?}: give {what}"));
            match name.as_str() {
                "lesson" => {
                    let known = LESSONS.into_iter().find(|(name, _)| *name == value);
                    lesson = Some(known.ok_or_else(|| bad(&names()))?);
                }
                "rules" => rules = value.parse()?,
                "ending" if !value.is_empty() => ending = Some(values::ending(&value)?),
                "seed" => seed = Some(value.parse().map_err(|_| bad("a whole number"))?),
                _ => {}
            }
        }
        let (name, lesson) = lesson.ok_or_else(|| {
            Refusal::input(format!("no lesson is given: add lesson= with {}", names()))
        })?;
        let is_board = matches!(lesson, Lesson::Board | Lesson::Stop);
        if is_board && !rules.has_boards_honor() {
            return Err(Refusal::input(format!(
                "{rules} has no board's honor: choose another lesson or another rule set"
            )));
        }
        if lesson == Lesson::Promote && ending.is_none_or(|ending| ending.material().is_pawnless())
        {
            return Err(Refusal::input(
                "the lesson on promotion needs an ending with bia: add ending=KSPvK",
            ));
        }
        Ok(CourseQuestion {
            name,
            lesson,
            rules,
            ending,
            seed: seed.unwrap_or_else(any_seed),
        })
    }

    /// Makes the question, as a JSON document. The same seed makes the same question.
    ///
    /// # Errors
    ///
    /// If no question is found, or a table is missing or cannot be used.
    pub fn answer(&self, tablebase: &Tablebase) -> Result<String, Refusal> {
        let mut numbers = Numbers::new(self.seed);
        let mut others = Vec::new();
        for _ in 0..TRIES {
            let asked = match self.lesson {
                Lesson::Promote => self.promotion(&mut numbers, tablebase, &mut others)?,
                _ => self.asked(&mut numbers),
            };
            let asked = match others.len() < MOST_OTHERS {
                true => asked,
                false => others.pop(),
            };
            if let Some(asked) = asked {
                return self.document(asked);
            }
        }
        match others.pop() {
            Some(asked) => self.document(asked),
            None => Err(Refusal::not_found(
                "no question was found: choose another lesson or another ending",
            )),
        }
    }

    fn document(&self, asked: Asked) -> Result<String, Refusal> {
        let Asked { state, m, .. } = asked;
        let after = m.map_or(state, |m| state.play(m));
        let count = state.counters.count(self.rules);
        let right = asked
            .options
            .iter()
            .position(|option| *option == asked.right);
        json(&Document {
            lesson: self.name,
            rules: self.rules,
            seed: self.seed,
            fen: state.to_string(),
            ask: asked.ask,
            played: m.map(|m| Played {
                uci: m.uci(state.lettering()).to_string(),
                san: state.board.san(m),
                fen: after.to_string(),
            }),
            said: count.number(),
            limit: count.running().map(|(limit, _)| limit / 2),
            needed: asked.needed,
            right: right.ok_or_else(|| Refusal::internal("the right answer is no option"))?,
            options: asked.options,
            men: after.board.position().occupied().len(),
            left: allowance(&after).map(|allowance| allowance.moves_available),
        })
    }

    /// Tries a random position. None if the lesson has no question about it.
    fn asked(&self, numbers: &mut Numbers) -> Option<Asked> {
        let rules = self.rules;
        match self.lesson {
            Lesson::Limit => {
                let state = self.bared(numbers, 1, None)?;
                let army = state.board.position().material().white;
                let right = pieces_honor_limit(rules, army);
                let options = limits(rules);
                Some(Asked::new(state, "limit", options, word_of(right)))
            }
            Lesson::Number => {
                let begun = numbers.below(2) == 1;
                let state = self.bared(numbers, 1, begun.then_some(Color::Black))?;
                let said = said_next(&state)?;
                let men = state.board.position().occupied().len() as u32;
                let wrong = [said.checked_sub(1)?, said + 1, men, 1];
                Some(Asked::of_number(
                    state,
                    if begun { "next" } else { "first" },
                    said,
                    &wrong,
                ))
            }
            Lesson::Left => {
                let turn = side(numbers);
                let state = self.bared(numbers, 1, Some(turn))?;
                Asked::left(state)
            }
            Lesson::Start => {
                let bia = numbers.below(2) as usize;
                let black = numbers.below(2) as usize;
                let white = 1 + numbers.below(2) as usize;
                let men = men(numbers, (white, bia), (black, 0));
                let state = self.place(numbers, &men, Color::Black)?;
                Some(Asked::kind(state))
            }
            Lesson::Capture => {
                let state = self.bared(numbers, 2, Some(Color::Black))?;
                let m = capture(&state, numbers)?;
                Asked::capture(state, m, numbers.below(2) == 1)
            }
            Lesson::Board => {
                let men = men(numbers, (2, 0), (1, 0));
                let turn = side(numbers);
                let state = self.place(numbers, &men, turn)?;
                let limit = boards_honor_limit(rules, state.board.position().material())?;
                let state = counting(state, limit, 1, turn, numbers)?;
                match capture(&state, numbers).filter(|_| turn == Color::Black) {
                    Some(m) => Asked::capture(state, m, numbers.below(2) == 1),
                    None => Asked::left(state),
                }
            }
            Lesson::Stop => {
                let men = men(numbers, (3, 0), (2, 0));
                let state = self.place(numbers, &men, Color::Black)?;
                let limit = boards_honor_limit(rules, state.board.position().material())?;
                let state = counting(state, limit, 1, Color::Black, numbers)?;
                // The seed chooses the question, since positions with mate are rare.
                match self.seed % 3 {
                    0 => Asked::again(state),
                    kind => Asked::mate(state, kind == 1),
                }
            }
            Lesson::Baring => {
                let men = men(numbers, (2, 0), (1, 0));
                let state = self.place(numbers, &men, Color::White)?;
                let m = capture(&state, numbers)?;
                Asked::baring(state, m, numbers)
            }
            Lesson::Bia => {
                let taken = numbers.below(3) == 0;
                let more = usize::from(!taken && numbers.below(3) == 0);
                let men = men(numbers, (1, 1 + more), (0, 0));
                let turn = if taken { Color::Black } else { Color::White };
                let state = self.place(numbers, &men, turn)?;
                Asked::last_bia(state, numbers)
            }
            Lesson::Promote => None,
        }
    }

    /// A question about a promotion: now, or is another move better? As many promotions are right as
    /// wrong, if the ending has both; questions of the kind that is not wanted go to `others`.
    fn promotion(
        &self,
        numbers: &mut Numbers,
        tablebase: &Tablebase,
        others: &mut Vec<Asked>,
    ) -> Result<Option<Asked>, Refusal> {
        let rules = self.rules;
        let Some(ending) = self.ending else {
            return Ok(None);
        };
        let men = Color::ALL.into_iter().flat_map(|color| {
            let army = ending.army(color).men();
            std::iter::once(Role::King)
                .chain(army)
                .map(move |role| (color, role))
        });
        let men: Vec<_> = men.collect();
        let Some(state) = self.place(numbers, &men, Color::White) else {
            return Ok(None);
        };
        let position = state.board.position();
        let legal = state.board.legal_moves();
        if rules.check_in_tables(position, SquareSet::EMPTY).is_err()
            || !legal.iter().any(|m| m.promotion.is_some())
        {
            return Ok(None);
        }
        let ranked = tablebase.best_moves(position, rules, &Count::Fresh)?;
        let (Some(best), Some(promotion)) = (
            ranked.first(),
            ranked.iter().find(|m| m.m.promotion.is_some()),
        ) else {
            return Ok(None);
        };
        if best.category.points() <= 0 {
            return Ok(None);
        }
        let now = promotion.category.points() == best.category.points();
        let right = if now { "promote" } else { "wait" };
        let options = ["promote", "wait"].map(str::to_string).to_vec();
        let mut asked = Asked::new(state, "promote", options, right.to_string());
        asked.m = Some(promotion.m);
        if now == self.seed.is_multiple_of(2) {
            return Ok(Some(asked));
        }
        others.push(asked);
        Ok(None)
    }

    /// White with one to three men against a bare king that counts. Without `turn` Black is to move
    /// and the count has just begun; otherwise it has run for some moves.
    fn bared(&self, numbers: &mut Numbers, least: usize, turn: Option<Color>) -> Option<GameState> {
        let white = least + numbers.below(4 - least as u64) as usize;
        let men = men(numbers, (white, 0), (0, 0));
        let state = self.place(numbers, &men, turn.unwrap_or(Color::Black))?;
        let position = state.board.position();
        if self.lesson == Lesson::Limit {
            return Some(state);
        }
        let limit = pieces_honor_limit(self.rules, position.material().white)?;
        let first = self.rules.first_number(position.occupied().len() as u32);
        match turn {
            Some(turn) => counting(state, limit, first + 1, turn, numbers),
            None => Some(with_count(state, limit, 2 * first)),
        }
    }

    /// Places men on random squares. None if a game cannot have the position.
    fn place(
        &self,
        numbers: &mut Numbers,
        men: &[(Color, Role)],
        turn: Color,
    ) -> Option<GameState> {
        let position = placed(numbers, men.iter().copied(), turn)?;
        let home = |color| self.rules.game().bia_home(color);
        let astray = |color| !(position.men(color, Role::Bia) & !home(color)).is_empty();
        if Color::ALL.into_iter().any(astray) {
            return None;
        }
        let fen = sakmak::board::Fen::new(position);
        let state = GameState::of_fen(&fen, self.rules);
        (!state.board.legal_moves().is_empty()).then_some(state)
    }
}

/// The names of the lessons.
fn names() -> String {
    LESSONS.map(|(name, _)| name).join(", ")
}

fn word_of(limit: Option<u32>) -> String {
    limit.map_or("none".to_string(), |limit| limit.to_string())
}

/// The limits of a rule set as answers. If a met alone has no limit, `none` is the last.
fn limits(rules: RuleSet) -> Vec<String> {
    let of_met = pieces_honor_limit(rules, Army::BARE.with(Role::Met));
    let limits = pieces_honor_limits(rules).map(Some);
    let limits = limits.chain(of_met.is_none().then_some(None));
    limits.map(word_of).collect()
}

fn side(numbers: &mut Numbers) -> Color {
    match numbers.below(2) {
        0 => Color::White,
        _ => Color::Black,
    }
}

/// The kings, with random men for each side: men that are not bia, and bia.
fn men(numbers: &mut Numbers, white: (usize, usize), black: (usize, usize)) -> Vec<(Color, Role)> {
    let mut men = Vec::new();
    for (color, (others, bia)) in [(Color::White, white), (Color::Black, black)] {
        men.push((color, Role::King));
        for _ in 0..others {
            let role = Role::PAWNLESS[numbers.below(Role::PAWNLESS.len() as u64) as usize];
            men.push((color, role));
        }
        men.extend((0..bia).map(|_| (color, Role::Bia)));
    }
    men
}

/// The state with a count in which some number from `first` on has been said. None if the count is
/// too short.
fn counting(
    state: GameState,
    limit: u32,
    first: u32,
    turn: Color,
    numbers: &mut Numbers,
) -> Option<GameState> {
    let room = limit.checked_sub(first).filter(|&room| room > 2)?;
    let said = first + numbers.below(u64::from(room) - 1) as u32;
    // A ply is counted with every move, a number said with every move of Black.
    let counted = 2 * said - u32::from(turn == Color::White);
    Some(with_count(state, limit, counted))
}

/// A random legal capture of the side to move.
fn capture(state: &GameState, numbers: &mut Numbers) -> Option<Move> {
    let legal = state.board.legal_moves().into_iter();
    let captures: Vec<Move> = legal.filter(|m| state.board.is_capture(*m)).collect();
    let index = numbers.below(captures.len().max(1) as u64) as usize;
    captures.get(index).copied()
}
