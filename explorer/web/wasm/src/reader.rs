//! Answers questions from the bytes fetched so far.

use std::path::Path;

use sakmak::board::{Game, Position};
use sakmak::game::GameState;
use sakmak::probe::{Options, Tablebase};
use sakmak::rules::RuleSet;
use sakmak::table::TableKind;
use sakmak_explorer::{
    Annotate, CourseQuestion, GamesFormat, Question, QuestionKind, RandomSearch, Refusal,
    parameters,
};

use crate::fetched::Fetched;

/// The size of the cache of decoded blocks, in bytes.
const CACHE: usize = 8 << 20;
/// The largest number of successive captures that the search for needed positions follows. A
/// position that is not stored is looked up through the positions after its moves. After a capture,
/// these may not be stored either.
const DEEPEST: u32 = 4;

/// Tables of which some bytes have been fetched.
pub struct Reader {
    tablebase: Tablebase,
    tables: Vec<Fetched>,
}

/// The reply to a question.
pub enum Reply {
    /// The answer or the error, with its HTTP status.
    Said(u16, String),
    /// Ranges of bytes to fetch first: for each the index of the table, the offset of the first
    /// byte, and the offset after the last byte.
    Wanted(Vec<(usize, u64, u64)>),
}

impl Reader {
    /// A reader without tables.
    pub fn new() -> Reader {
        let options = Options {
            cache_bytes: CACHE,
            ..Options::default()
        };
        Reader {
            tablebase: Tablebase::with_options(&options).unwrap_or_default(),
            tables: Vec::new(),
        }
    }

    /// Adds the table in the file `name` or, if `name` is an ending, its distance table. `length` is the length of the table's file. Returns the index of the table.
    /// None if there is no such ending.
    pub fn add(&mut self, name: &str, length: u64) -> Option<usize> {
        let fetched = Fetched::new(length);
        let file = match TableKind::of_extension(Path::new(name)) {
            Some(_) => name.to_string(),
            None => format!("{name}.{}", TableKind::Distances.extension()),
        };
        self.tablebase.add_source(file, fetched.clone())?;
        self.tables.push(fetched);
        Some(self.tables.len() - 1)
    }

    /// Stores bytes of a table, the first of which is at offset `start` of its file.
    pub fn give(&self, table: usize, start: u64, bytes: &[u8]) {
        if let Some(fetched) = self.tables.get(table) {
            fetched.give(start, bytes);
        }
    }

    /// Answers a request with this path, query and body, as `sakmak serve` does. `round` is the
    /// number of earlier calls with the same question.
    pub fn ask(&self, path: &str, query: &str, body: &[u8], round: u32) -> Reply {
        let answer = self.answer(path, query, body);
        let wanted = self.wanted(round);
        match answer {
            _ if !wanted.is_empty() => Reply::Wanted(wanted),
            Ok(text) => Reply::Said(200, text),
            Err(refusal) => Reply::Said(refusal.kind.status(), refusal.document(None)),
        }
    }

    fn answer(&self, path: &str, query: &str, body: &[u8]) -> Result<String, Refusal> {
        match path {
            "/v1/annotate" => Annotate::parse(parameters(query), GamesFormat::Pgn)?.answer(
                &self.tablebase,
                body,
                || true,
            ),
            "/v1/course" => CourseQuestion::parse(parameters(query))?.answer(&self.tablebase),
            "/v1/random" => RandomSearch::parse(parameters(query))?.find(&self.tablebase),
            _ => {
                let ask = QuestionKind::of_path(path)
                    .ok_or_else(|| Refusal::not_found("this address does not exist"))?;
                let question = Question::parse(ask, query)?;
                let game = question.rules.game();
                if ask == QuestionKind::Moves {
                    self.look_at_moves(&question);
                } else {
                    self.look_ahead(game, &question.fen.position);
                }
                // The best resistance depends on positions two moves later.
                if ask == QuestionKind::Reply {
                    let position = &question.fen.position;
                    for m in position.legal_moves_in(game) {
                        self.look_ahead(game, &position.play(m));
                    }
                }
                ask.answer(&self.tablebase, &question)
            }
        }
    }

    /// Looks up the positions after all moves of a game that a table has.
    fn look_at_moves(&self, question: &Question) {
        let state = GameState::of_fen(&question.fen, question.rules);
        for m in state.board.legal_moves() {
            if let Some((position, _)) = state.play(m).tabled() {
                self.look(question.rules.game(), &position, DEEPEST);
            }
        }
    }

    /// Looks up all positions that the answer needs. Computing the answer would stop at the first
    /// missing byte; this search continues, so that all missing bytes are fetched at once.
    fn look_ahead(&self, game: Game, position: &Position) {
        self.look(game, position, DEEPEST);
        for m in position.legal_moves_in(game) {
            self.look(game, &position.play(m), DEEPEST);
        }
    }

    fn look(&self, game: Game, position: &Position, deeper: u32) {
        let of_game = |rules: &RuleSet| position.is_pawnless() || rules.game() == game;
        match self.tablebase.is_stored_in(game, position) {
            Ok(true) => {
                let _ = self.tablebase.dtm_in(game, position);
                for rules in RuleSet::ALL.into_iter().filter(of_game) {
                    let _ = self.tablebase.dth(position, rules);
                }
            }
            Ok(false) if deeper > 0 => {
                for m in position.legal_moves_in(game) {
                    self.look(game, &position.play(m), deeper - 1);
                }
            }
            // Verdict tables have positions with either side to move.
            Err(_) => {
                for rules in RuleSet::ALL.into_iter().filter(of_game) {
                    let _ = self.tablebase.by_category().verdict(position, rules);
                }
            }
            _ => {}
        }
    }

    /// The ranges that are needed and have not been fetched, for each table.
    fn wanted(&self, round: u32) -> Vec<(usize, u64, u64)> {
        let tables = self.tables.iter().enumerate();
        let ranges = tables.flat_map(|(number, table)| {
            let ranges = table.take_wanted(round).into_iter();
            ranges.map(move |range| (number, range.start, range.end))
        });
        ranges.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer from these tables, whose bytes are given as they are wanted.
    fn answer(tables: &[(&str, &[u8])], query: &str) -> serde_json::Value {
        let mut reader = Reader::new();
        for (number, (name, file)) in tables.iter().enumerate() {
            assert_eq!(reader.add(name, file.len() as u64), Some(number));
        }
        for round in 0..20 {
            match reader.ask("/v1/probe", query, &[], round) {
                Reply::Wanted(ranges) => {
                    for (table, start, end) in ranges {
                        let (_, file) = tables[table];
                        reader.give(table, start, &file[start as usize..end as usize]);
                    }
                }
                Reply::Said(status, text) => {
                    assert_eq!(status, 200, "{text}");
                    return serde_json::from_str(&text).unwrap();
                }
            }
        }
        panic!("bytes are asked for without end");
    }

    // No legal move in these positions captures or promotes.

    #[test]
    fn a_verdict_table_alone_answers_by_category() {
        let makruk = include_bytes!("../../../../tests/golden/verdicts-4.skv");
        let both = include_bytes!("../../../../tests/golden/verdicts-5.skv");
        let asean = include_bytes!("../../../../tests/golden/verdicts-5-asean.skv");
        for (name, file, query) in [
            ("KPPvK", &makruk[..], "fen=4k3/8/8/8/2P1P3/8/8/4K3_w"),
            ("KSvKP", both, "fen=8/8/7k/1p6/8/8/6S1/4K3_w&rules=ouk"),
            ("KPvK-asean", asean, "fen=7k/8/8/8/2P5/8/8/K7_w&rules=asean"),
        ] {
            let answer = answer(&[(&format!("{name}.skv"), file)], query);
            assert_eq!(answer["missing_distances"], name);
            assert!(answer["category"].is_string() && answer["dtm"].is_null());
        }
    }

    #[test]
    fn a_distance_table_with_bia_answers_under_its_rule_sets() {
        let ouk = include_bytes!("../../../../tests/golden/format-7.skm");
        let asean = include_bytes!("../../../../tests/golden/format-7-asean.skm");
        let query = "fen=8/8/7k/1p6/8/8/6S1/4K3_w_-_126_20_1&rules=ouk";
        let answered = answer(&[("KSvKP", ouk)], query);
        assert_eq!(answered["count"]["limit"], 63);
        let query = "fen=7k/8/8/8/2P5/8/8/K7_w&rules=asean";
        let answered = answer(&[("KPvK-asean", asean)], query);
        assert_eq!(answered["category"], "win");
        assert!(answered["dtm"].is_number() && answered["dth"].is_number());
    }
}
