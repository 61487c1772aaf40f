//! Probes the tables on behalf of a session.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, DirEntry};
use std::path::Path;
use std::time::Instant;

use sakmak::board::{Move, Position};
use sakmak::game::GameState;
use sakmak::probe::{
    self, BoundedMove, Distance, ProbeError, RankedMove, Replaced, Tablebase, Value,
};
use sakmak::rules::{Allowance, Category, Count, RuleSet};
use sakmak::table::TableKind;

use super::options::{CountMode, Options};
use super::progress;

/// The open tables.
pub(super) struct Tables {
    tablebase: Tablebase,
    /// The warning that some endings have verdicts but no distances.
    pub without_distances: Option<String>,
    /// The number of corrupt tables that have been reported.
    reported: usize,
}

/// A move, and its value for the player who makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub m: Move,
    pub category: Category,
    /// The distance to mate for the player who makes the move, counted from the position before it.
    pub dtm: Distance,
    /// The distance to honor for the player who makes the move, counted from the position before
    /// it. None if there is no honor, or if the count is switched off.
    pub dth: Option<Distance>,
    /// True if a king is bare before the move and there are no bia. Then only the distance to mate
    /// matters.
    pub against_bare_king: bool,
}

/// A position, with its rule set and its count.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub position: Position,
    pub rules: RuleSet,
    pub count: Count,
    pub mode: CountMode,
}

impl Question {
    /// The position, the rule set and the count, as arguments of a probe.
    fn arguments(&self) -> (&Position, RuleSet, &Count) {
        (&self.position, self.rules, &self.count)
    }

    /// The ranked moves of the position.
    fn ranked(&self, moves: &[RankedMove]) -> Vec<Ranked> {
        let against_bare_king = self.position.material().is_bare_without_bia();
        let moves = moves.iter().map(|ranked| Ranked {
            m: ranked.m,
            category: ranked.category,
            dtm: ranked.dtm,
            dth: ranked.dth,
            against_bare_king,
        });
        moves.collect()
    }
}

/// The answer of the distance tables.
pub(super) struct Known {
    pub question: Question,
    /// The value of the position. None if the count is switched off, or if a table is missing that
    /// the position's other moves need.
    pub value: Option<Value>,
    /// The moves whose values are known, the best first.
    pub moves: Vec<Ranked>,
    /// The reason why other moves are unknown, if there are any. A known move then wins.
    pub lacking: Option<String>,
}

/// The answer of the verdict tables if distances are missing.
pub(super) struct ByVerdicts {
    /// The reason why there are no distances.
    pub why: String,
    /// True if a table is missing, false if it is corrupt.
    pub missing: bool,
    pub question: Question,
    /// The moves whose categories are known, the best first. There is at least one.
    pub moves: Vec<BoundedMove>,
    /// The other moves.
    pub unknown: Vec<Move>,
    /// The reason why the first of them is unknown.
    pub lacking: Option<String>,
}

/// The reason why the distance tables have no answer, with the answer of the verdict tables if
/// there is one.
pub(super) enum Unknown {
    /// The position cannot be in any table.
    OutOfReach,
    /// The tables have verdicts but no distances.
    OnlyVerdicts(Box<ByVerdicts>),
    /// A table is missing or corrupt.
    Failed(String),
}

impl Tables {
    /// Opens the tables in the directories that the options list. Also returns messages about
    /// problems, such as a directory that cannot be read.
    pub fn open(options: &Options) -> (Tables, Vec<String>) {
        let mut troubles = Vec::new();
        let opened = Tablebase::with_options(&probe::Options {
            cache_bytes: options.cache_mib << 20,
            ..probe::Options::default()
        });
        let mut tablebase = opened.unwrap_or_else(|error| {
            troubles.push(error.to_string());
            Tablebase::new()
        });
        for directory in &options.directories {
            let name = directory.display();
            match tablebase.add_directory(directory) {
                Ok(0) if !has_tables(directory) => troubles.push(format!(
                    "{name} has no tables: make some with sakmak generate"
                )),
                Ok(_) => {}
                Err(error) => troubles.push(format!(
                    "{name} cannot be read ({error}): set SakmakPath to a directory of tables"
                )),
            }
        }
        if options.directories.is_empty() {
            troubles.push("no tables: set SakmakPath to a directory of tables".to_string());
        }
        let without_distances = without_distances(&tablebase);
        troubles.extend(without_distances.clone());
        let reported = 0;
        (
            Tables {
                tablebase,
                without_distances,
                reported,
            },
            troubles,
        )
    }

    /// A message with the number of endings that have tables, and the largest number of men. None
    /// if there are no tables.
    pub fn found(&self) -> Option<String> {
        let endings = match self.tablebase.inventory().endings() {
            0 => return None,
            1 => "1 ending".to_string(),
            endings => format!("{endings} endings"),
        };
        let men = self.tablebase.inventory().most_men();
        Some(format!("found tables of {endings}, up to {men} men"))
    }

    /// The corrupt tables that tables of a later directory have replaced since the last call.
    pub fn newly_replaced(&mut self) -> Vec<Replaced> {
        let replaced = self.tablebase.inventory().replaced();
        let reported = std::mem::replace(&mut self.reported, replaced.len());
        replaced.into_iter().skip(reported).collect()
    }

    /// Looks up the current position of a game. The answer concerns only these moves, which must be
    /// legal.
    pub fn look(
        &self,
        state: &GameState,
        options: &Options,
        moves: &[Move],
    ) -> Result<Known, Unknown> {
        let (position, count) = state.tabled().ok_or(Unknown::OutOfReach)?;
        let men = position.occupied().len();
        if men > options.probe_limit || (men > self.tablebase.inventory().most_men() && men > 2) {
            return Err(Unknown::OutOfReach);
        }
        let question = Question {
            position,
            rules: state.rules(),
            count: match options.count {
                CountMode::Auto => count,
                CountMode::Fresh | CountMode::Off => Count::Fresh,
            },
            mode: options.count,
        };
        let error = match self.by_distances(question) {
            Ok(mut known) => {
                known.moves.retain(|ranked| moves.contains(&ranked.m));
                return Ok(known);
            }
            Err(error) => error,
        };
        self.known_win(&question, &error, moves)
            .ok_or_else(|| self.by_verdicts(&question, &error, moves))
    }

    /// The moves that are known to win although a table is missing or corrupt. `error` names the
    /// table. None if no move is known to win.
    fn known_win(&self, question: &Question, error: &ProbeError, moves: &[Move]) -> Option<Known> {
        let mut known = self.known_moves(question).ok()?;
        known.retain(|ranked| moves.contains(&ranked.m));
        (known.first()?.category == Category::Win).then(|| Known {
            question: *question,
            value: None,
            moves: known,
            lacking: Some(error.to_string()),
        })
    }

    fn by_distances(&self, question: Question) -> Result<Known, ProbeError> {
        Ok(Known {
            value: match question.mode {
                CountMode::Off => None,
                _ => {
                    let (position, rules, count) = question.arguments();
                    Some(self.tablebase.probe(position, rules, count)?)
                }
            },
            moves: self.moves(&question)?,
            question,
            lacking: None,
        })
    }

    /// Answers without distances. `error` is the reason why there are no distances.
    fn by_verdicts(&self, question: &Question, error: &ProbeError, moves: &[Move]) -> Unknown {
        let (position, rules, count) = question.arguments();
        let why = error.to_string();
        let missing = error.is_missing();
        let by_category = self.tablebase.by_category();
        let (mut known, mut unknown) = match by_category.moves(position, rules, count) {
            Ok(known) => (known, Vec::new()),
            Err(_) => match by_category.known_moves(position, rules, count) {
                Ok(moves) => (moves.known, moves.unknown),
                Err(_) => return Unknown::Failed(why),
            },
        };
        known.retain(|found| moves.contains(&found.m));
        unknown.retain(|(m, _)| moves.contains(m));
        if question.mode == CountMode::Off {
            for found in &mut known {
                found.bounds = found.bounds.map(on_the_board);
            }
        }
        match known.is_empty() {
            true => Unknown::Failed(why),
            false => Unknown::OnlyVerdicts(Box::new(ByVerdicts {
                why,
                missing,
                question: *question,
                moves: known,
                lacking: unknown.first().map(|(_, error)| error.to_string()),
                unknown: unknown.into_iter().map(|(m, _)| m).collect(),
            })),
        }
    }

    /// Chooses one of these moves, which keep a win, by a search for progress. `fresh` is the category
    /// that the moves have with a fresh count.
    pub fn progress(
        &self,
        question: &Question,
        (moves, fresh): (&[Move], Category),
        earlier: &HashSet<Position>,
        (deadline, most_nodes): (Instant, Option<u64>),
    ) -> Option<Move> {
        let (position, rules, count) = question.arguments();
        let turn = position.turn();
        let in_time = question.mode != CountMode::Off && fresh == Category::Win;
        let allowance = match in_time {
            true => Allowance::new(rules, position.material(), turn, turn, count),
            false => None,
        };
        let won = progress::Won {
            tablebase: &self.tablebase,
            position: *position,
            rules,
            in_time,
            moves_left: allowance.map(|allowance| allowance.moves_available),
            moves,
            earlier,
            most_nodes: most_nodes.unwrap_or(u64::MAX).min(progress::MOST_NODES),
        };
        progress::choose(&won, deadline)
    }

    /// The legal moves, the best first.
    pub fn moves(&self, question: &Question) -> Result<Vec<Ranked>, ProbeError> {
        let (position, rules, count) = question.arguments();
        if question.mode != CountMode::Off {
            let moves = self.tablebase.best_moves(position, rules, count)?;
            return Ok(question.ranked(&moves));
        }
        let mut moves = Vec::new();
        for m in position.legal_moves_in(rules.game()) {
            moves.push(self.without_count(question, m)?);
        }
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.dtm));
        Ok(moves)
    }

    /// Like [`Tables::moves`], but leaves out the moves whose tables are missing or corrupt.
    fn known_moves(&self, question: &Question) -> Result<Vec<Ranked>, ProbeError> {
        let (position, rules, count) = question.arguments();
        if question.mode != CountMode::Off {
            let moves = self.tablebase.known_moves(position, rules, count)?;
            return Ok(question.ranked(&moves));
        }
        let moves = position.legal_moves_in(rules.game()).into_iter();
        let mut moves: Vec<Ranked> = moves
            .filter_map(|m| self.without_count(question, m).ok())
            .collect();
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.dtm));
        Ok(moves)
    }

    /// A move with its value, with nothing counted.
    fn without_count(&self, question: &Question, m: Move) -> Result<Ranked, ProbeError> {
        let position = &question.position;
        let game = question.rules.game();
        let dtm = self
            .tablebase
            .dtm_in(game, &position.play(m))?
            .before_move();
        let category = match dtm {
            Distance::Win(_) => Category::Win,
            Distance::Draw => Category::Draw,
            Distance::Loss(_) => Category::Loss,
        };
        Ok(Ranked {
            m,
            category,
            dtm,
            dth: None,
            against_bare_king: position.material().is_bare_without_bia(),
        })
    }

    /// The question about the position after a move. None if that position is drawn, since a line
    /// of play ends in it.
    pub fn next(question: &Question, ranked: &Ranked) -> Option<Question> {
        let winner = ranked.dtm.winner(question.position.turn())?;
        let position = question.position.play(ranked.m);
        let before = &question.position;
        let count = question
            .count
            .after(question.rules, before, &position, winner);
        Some(Question {
            position,
            count,
            ..*question
        })
    }
}

/// The warning that won games are not played perfectly where there are verdicts but no distances.
/// None if there are distances for all endings.
fn without_distances(tablebase: &Tablebase) -> Option<String> {
    let inventory = tablebase.inventory();
    let distances: BTreeSet<_> = inventory.materials().collect();
    let verdicts = inventory.materials_of(TableKind::Verdicts).into_iter();
    let mut lacking = verdicts.filter(|ending| !distances.contains(ending));
    let first = lacking.next()?;
    let endings = match 1 + lacking.count() {
        1 => first.to_string(),
        number => format!("{number} endings, for instance {first}"),
    };
    Some(format!(
        "no distance tables of {endings}: there a search chooses among the winning moves, and the count may run out"
    ))
}

/// Converts a category to that of the same position with nothing counted: a count draw becomes a
/// win or a loss.
fn on_the_board(category: Category) -> Category {
    match category {
        Category::CursedWin => Category::Win,
        Category::BlessedLoss => Category::Loss,
        category => category,
    }
}

/// True if a directory has tables, even if an earlier directory has tables of the same endings.
fn has_tables(directory: &Path) -> bool {
    let is_table = |entry: DirEntry| TableKind::of_extension(&entry.path()).is_some();
    fs::read_dir(directory).is_ok_and(|entries| entries.flatten().any(is_table))
}
