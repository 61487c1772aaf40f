//! Probes the tables on behalf of a session.

use std::path::{Path, PathBuf};

use sakmak::board::{Move, Position};
use sakmak::game::GameState;
use sakmak::probe::{self, BoundedMove, Distance, ProbeError, Replaced, Tablebase, Value};
use sakmak::rules::{Category, Count, RuleSet};

use super::options::{CountMode, Options};

/// The open tables.
pub(super) struct Tables {
    tablebase: Tablebase,
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
}

/// The answer of the distance tables.
pub(super) struct Known {
    pub question: Question,
    /// The value of the position. None if the count is switched off.
    pub value: Option<Value>,
    /// The legal moves, the best first. There is at least one.
    pub moves: Vec<Ranked>,
}

/// The answer of the verdict tables if distances are missing.
pub(super) struct ByVerdicts {
    /// The reason why there are no distances.
    pub why: String,
    /// True if a table is missing, false if it is corrupt.
    pub missing: bool,
    /// The legal moves by category, the best first. There is at least one.
    pub moves: Vec<BoundedMove>,
}

/// The reason why the distance tables have no answer, with the answer of the verdict tables if
/// there is one.
pub(super) enum Unknown {
    /// The position cannot be in any table.
    OutOfReach,
    /// The tables have verdicts but no distances.
    OnlyVerdicts(ByVerdicts),
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
        let reported = 0;
        (
            Tables {
                tablebase,
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

    /// Looks up the current position of a game.
    pub fn look(&self, state: &GameState, options: &Options) -> Result<Known, Unknown> {
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
        self.by_distances(question)
            .map_err(|error| self.by_verdicts(&question, &error))
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
        })
    }

    /// Answers without distances. `error` is the reason why there are no distances.
    fn by_verdicts(&self, question: &Question, error: &ProbeError) -> Unknown {
        let (position, rules, count) = question.arguments();
        let why = error.to_string();
        let missing = error.is_missing();
        let Ok(mut moves) = self.tablebase.by_category().moves(position, rules, count) else {
            return Unknown::Failed(why);
        };
        if question.mode == CountMode::Off {
            for found in &mut moves {
                found.bounds = found.bounds.map(on_the_board);
            }
        }
        match moves.is_empty() {
            true => Unknown::Failed(why),
            false => Unknown::OnlyVerdicts(ByVerdicts {
                why,
                missing,
                moves,
            }),
        }
    }

    /// The legal moves, the best first.
    pub fn moves(&self, question: &Question) -> Result<Vec<Ranked>, ProbeError> {
        let (position, rules, count) = question.arguments();
        let against_bare_king = position.material().is_bare_without_bia();
        if question.mode != CountMode::Off {
            let ranked = self.tablebase.best_moves(position, rules, count)?;
            let moves = ranked.into_iter().map(|ranked| Ranked {
                m: ranked.m,
                category: ranked.category,
                dtm: ranked.dtm,
                against_bare_king,
            });
            return Ok(moves.collect());
        }
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            let dtm = self.tablebase.dtm(&position.play(m))?.before_move();
            let category = match dtm {
                Distance::Win(_) => Category::Win,
                Distance::Draw => Category::Draw,
                Distance::Loss(_) => Category::Loss,
            };
            moves.push(Ranked {
                m,
                category,
                dtm,
                against_bare_king,
            });
        }
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.dtm));
        Ok(moves)
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
    let is_table = |path: PathBuf| {
        let extension = path.extension();
        extension.is_some_and(|extension| extension == "skm" || extension == "skv")
    };
    std::fs::read_dir(directory)
        .is_ok_and(|entries| entries.flatten().any(|entry| is_table(entry.path())))
}
