//! Writes an annotated game as PGN, with the tables' results in comments.
//!
//! After each move to a position in the tables, a comment begins with a command that programs can
//! read: `[%sakmak for=black category=loss dtm=27 left=59 count=5/64]`. It states the result of
//! `sakmak probe` for the side to move. A sentence for human readers follows if there is an event
//! to report, such as a mistake. Comments and variations from an earlier annotation are omitted, so
//! a game can be annotated again.

use super::facts::Facts;
use super::game::{Annotation, Ply};
use super::moment::{Judged, ProbedPosition};
use super::words::standing;
use sakmak::board::Color;
use sakmak::game::pgn::{PgnMove, glyph_of_sign, split_sign, variant_of_rules};
use sakmak::rules::{Allowance, Category};

/// The start of each comment that this program writes.
const MARK: &str = "[%sakmak";
/// The maximum length of a line of the output, in characters.
const WIDTH: usize = 80;

impl Annotation {
    /// Writes the game as PGN, with the tables' results in comments. A variation has at most
    /// `most_plies` plies.
    pub fn pgn(&self, most_plies: usize) -> String {
        let mut text = String::new();
        for (name, value) in self.tags() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text += &format!("[{name} \"{value}\"]\n");
        }
        text.push('\n');
        let mut writer = Movetext::default();
        for comment in kept_comments(&self.game.comments) {
            writer.comment(comment);
        }
        let facts = self.facts();
        if let Some(known) = &self.moments[0].known {
            writer.comment(&self.comment(0, known, &facts));
        }
        for (ply, played) in self.plies.iter().enumerate() {
            self.write_ply(&mut writer, ply, played, &facts, most_plies);
        }
        if let Some(stop) = &self.stop {
            writer.comment(&format!("{MARK} stop] {stop}"));
        }
        writer.comment(&format!("{MARK} summary] {}", self.summary().join(" ")));
        writer.word(self.result());
        text + &writer.finish()
    }

    /// The result that follows the moves: `*` if the game states none.
    fn result(&self) -> &str {
        match self.game.result() {
            result @ ("1-0" | "0-1" | "1/2-1/2") => result,
            _ => "*",
        }
    }

    fn tags(&self) -> Vec<(String, String)> {
        let mut tags = self.game.tags.clone();
        let mut set = |name: &str, value: &str, replace: bool| match tags
            .iter_mut()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name))
        {
            Some((_, old)) if replace => *old = value.to_string(),
            Some(_) => {}
            None => tags.push((name.to_string(), value.to_string())),
        };
        set("Result", self.result(), true);
        set("Variant", variant_of_rules(self.rules), true);
        set(
            "Annotator",
            concat!("sakmak ", env!("CARGO_PKG_VERSION")),
            false,
        );
        tags
    }

    fn write_ply(
        &self,
        writer: &mut Movetext,
        ply: usize,
        played: &Ply,
        facts: &Facts,
        most_plies: usize,
    ) {
        let state = &self.moments[ply].state;
        let written = &self.game.moves[ply];
        writer.number(state.counters.fullmove, state.board.turn());
        let mistake = played.judged.as_ref().filter(|judged| judged.is_mistake());
        let mark = if mistake.is_some() { "??" } else { "" };
        writer.word(&format!("{}{mark}", played.san));
        for nag in kept_nags(written) {
            writer.word(&format!("${nag}"));
        }
        for comment in kept_comments(&written.comments) {
            writer.comment(comment);
        }
        if let Some(known) = &self.moments[ply + 1].known {
            writer.comment(&self.comment(ply + 1, known, facts));
        }
        if let Some(judged) = mistake.filter(|_| most_plies > 0) {
            self.write_line(writer, ply, judged, most_plies);
        }
        for variation in &written.variations {
            if !variation.contains(MARK) {
                writer.words(&format!("({variation})"));
                writer.numbered = false;
            }
        }
    }

    /// The comment on the position at a moment.
    fn comment(&self, moment: usize, known: &ProbedPosition, facts: &Facts) -> String {
        let mut text = command(known);
        let mut say = |words: &str| {
            text.push(' ');
            text += words;
        };
        let judged = moment.checked_sub(1).and_then(|ply| {
            let judged = self.plies[ply].judged.as_ref()?;
            Some((ply, judged))
        });
        match judged {
            Some((ply, judged)) if judged.is_mistake() => {
                let words = self.mistake_in_words(ply, judged);
                say(&format!("It {words}."));
            }
            Some((_, judged))
                if judged.best == Category::CursedWin && judged.played == Category::Draw =>
            {
                say("Gives up a mate that would have come too late for the count.");
            }
            _ if facts.known_from == Some(moment) => {
                let standing = standing(known);
                say(&format!("The tables cover the game from here: {standing}."));
            }
            _ => {}
        }
        for count in facts
            .counts
            .iter()
            .filter(|count| count.moment == moment && count.is_certain)
        {
            if self.is_mated(moment) {
                continue;
            }
            let limit = match count.in_place_of {
                Some(before) => format!("{} in place of {before}", count.limit),
                None => count.limit.to_string(),
            };
            say(&format!(
                "The count begins at {}, with limit {limit}.",
                count.first_number
            ));
        }
        let other = moment.checked_sub(1).and_then(|ply| {
            let other = self.plies[ply].judged_if_counted.as_ref()?;
            let plain = judged.is_some_and(|(_, judged)| judged.is_mistake());
            (other.is_mistake() && !plain).then_some(other)
        });
        if let Some(other) = other {
            say(match other.best {
                Category::Win => {
                    "Throws the win away if board's honor was counted from its first possible moment."
                }
                _ => "Loses if board's honor was counted from its first possible moment.",
            });
        }
        if facts.over == Some(moment) {
            say("The count is over: a draw can be claimed.");
        }
        if facts.repetition == Some(moment) {
            say("The position occurs for the third time: a draw can be claimed.");
        }
        text
    }

    /// Writes a variation: best play instead of the move played at a ply.
    fn write_line(&self, writer: &mut Movetext, ply: usize, judged: &Judged, most_plies: usize) {
        let Some(&best) = judged.keeping.first() else {
            return;
        };
        let state = &self.moments[ply].state;
        let lettering = self.rules.lettering();
        let mut number = state.counters.fullmove;
        let mut turn = state.board.turn();
        writer.open();
        writer.number(number, turn);
        writer.word(&state.board.san(best));
        writer.comment(&format!(
            "{MARK} line] {}",
            self.better_in_words(ply, judged)
        ));
        let line = judged.line.iter().flat_map(|line| &line.moves);
        let line = line.skip(1).take(most_plies - 1);
        for played in line {
            number += u32::from(turn == Color::Black);
            turn = !turn;
            writer.number(number, turn);
            writer.word(&played.before.san(played.m, lettering));
        }
        writer.close();
    }
}

/// The numeric annotation glyphs (NAGs) of a move, with that of a sign such as `!` first. Omits a
/// `??` that an earlier run of this program added.
fn kept_nags(written: &PgnMove) -> Vec<u32> {
    let own = written
        .comments
        .iter()
        .any(|comment| comment.starts_with(MARK));
    let (_, sign) = split_sign(&written.san);
    let mark = glyph_of_sign(sign).filter(|_| !(own && sign == "??"));
    mark.into_iter()
        .chain(written.nags.iter().copied())
        .collect()
}

fn kept_comments(comments: &[String]) -> impl Iterator<Item = &String> {
    comments.iter().filter(|comment| !comment.starts_with(MARK))
}

/// The result as a command for programs. The values are those that `sakmak probe` prints.
fn command(known: &ProbedPosition) -> String {
    let mut text = format!("{MARK} for={} category=", known.position.turn());
    text += known.category().name();
    if let Some(moves) = known.value.dtm.moves() {
        text += &format!(" dtm={moves}");
    }
    if let Some(moves) = known.value.dth.and_then(|dth| dth.moves()) {
        text += &format!(" dth={moves}");
    }
    if let Some(allowance) = known.value.allowance {
        text += &format!(
            " left={} count={}",
            allowance.moves_available,
            number(&allowance)
        );
    }
    if let Some((limit_plies, counted_plies)) = known.count.running() {
        text += &format!(" plies={counted_plies}/{limit_plies}");
    }
    if let Some((_, other)) = known.if_counted {
        text += " counted-category=";
        text += other.category.name();
        if let Some(allowance) = other.allowance {
            text += &format!(
                " counted-left={} counted-count={}",
                allowance.moves_available,
                number(&allowance)
            );
        }
    }
    text + "]"
}

/// The number counted and the limit, for example `5/64`.
fn number(allowance: &Allowance) -> String {
    match allowance.started {
        true => format!("{}/{}", allowance.counted, allowance.limit),
        false => format!("fresh/{}", allowance.limit),
    }
}

/// The moves and comments of a game, broken into lines.
#[derive(Debug, Default)]
struct Movetext {
    text: String,
    width: usize,
    /// True if White's move was written last, so that Black's move needs no number.
    numbered: bool,
    /// True if a bracket was just opened, so that no space follows.
    opened: bool,
}

impl Movetext {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.width > 0 && !self.opened {
            match self.width + 1 + length > WIDTH {
                true => {
                    self.text.push('\n');
                    self.width = 0;
                }
                false => {
                    self.text.push(' ');
                    self.width += 1;
                }
            }
        }
        self.text += word;
        self.width += length;
        self.opened = false;
    }

    fn words(&mut self, words: &str) {
        for word in words.split_whitespace() {
            self.word(word);
        }
    }

    /// Writes the number of a move, if it needs one.
    fn number(&mut self, number: u32, turn: Color) {
        match turn {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if !self.numbered => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        self.numbered = turn == Color::White;
    }

    fn comment(&mut self, comment: &str) {
        // A brace would end the comment.
        let comment = comment.replace(['{', '}'], "|");
        self.words(&format!("{{{comment}}}"));
        self.numbered = false;
    }

    fn open(&mut self) {
        self.word("(");
        self.opened = true;
        self.numbered = false;
    }

    fn close(&mut self) {
        self.text.push(')');
        self.width += 1;
        self.numbered = false;
    }

    fn finish(self) -> String {
        self.text + "\n"
    }
}
