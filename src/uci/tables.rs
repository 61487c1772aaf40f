//! The tables as a session asks them: what is known of a position.

use crate::board::{Move, Position};
use crate::game::GameState;
use crate::probe::{self, BoundedMove, Distance, ProbeError, Replaced, Tablebase, Value};
use crate::rules::{Category, Count, RuleSet};

use super::options::{CountMode, Options};

/// Some tables, and with which count they are asked.
pub(super) struct Tables {
    tablebase: Tablebase,
    /// How many damaged tables the session has been told of.
    told: usize,
}

/// A move and what it is worth to the player who makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub m: Move,
    pub category: Category,
    /// The distance to mate for that player, counted from before the move.
    pub dtm: Distance,
    /// True if a king is bare before the move and no bia stands, so that distance to mate is all that
    /// counts.
    pub against_bare_king: bool,
}

/// A question to the tables.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub position: Position,
    pub rules: RuleSet,
    pub count: Count,
    pub mode: CountMode,
}

/// What the tables know.
pub(super) struct Known {
    pub question: Question,
    /// What the position is worth; none if nothing is counted.
    pub value: Option<Value>,
    /// The legal moves, the best first. There is at least one.
    pub moves: Vec<Ranked>,
}

/// What verdict tables say where distances are missing.
pub(super) struct ByVerdicts {
    /// Why there are no distances.
    pub why: String,
    /// True if that is because a table is not there.
    pub missing: bool,
    /// The legal moves, the best first. There is at least one.
    pub moves: Vec<BoundedMove>,
}

/// Why the tables say nothing, or no distances.
pub(super) enum Unknown {
    /// The position is none of theirs.
    OutOfReach,
    /// There are no distances, but verdicts.
    OnlyVerdicts(ByVerdicts),
    /// They should know it, but something is wrong.
    Failed(String),
}

impl Tables {
    /// Opens the tables of the options, and says what is wrong with them.
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
                Ok(0) => troubles.push(format!(
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
        let told = 0;
        (Tables { tablebase, told }, troubles)
    }

    /// How much there is, if there is anything.
    pub fn found(&self) -> Option<String> {
        let endings = match self.tablebase.endings() {
            0 => return None,
            1 => "1 ending".to_string(),
            endings => format!("{endings} endings"),
        };
        let men = self.tablebase.most_men();
        Some(format!("found tables of {endings}, up to {men} men"))
    }

    /// The damaged tables that were replaced since this was last asked.
    pub fn newly_replaced(&mut self) -> Vec<Replaced> {
        let replaced = self.tablebase.replaced();
        let told = std::mem::replace(&mut self.told, replaced.len());
        replaced.into_iter().skip(told).collect()
    }

    /// What is known of a game at this moment.
    pub fn look(&self, state: &GameState, options: &Options) -> Result<Known, Unknown> {
        let (position, count) = state.tabled().ok_or(Unknown::OutOfReach)?;
        let men = position.occupied().len();
        if men > options.probe_limit || (men > self.tablebase.most_men() && men > 2) {
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
                    let Question {
                        position,
                        rules,
                        count,
                        ..
                    } = &question;
                    Some(self.tablebase.probe(position, *rules, count)?)
                }
            },
            moves: self.moves(&question)?,
            question,
        })
    }

    /// What is known without distances, which cannot be had for this reason.
    fn by_verdicts(&self, question: &Question, error: &ProbeError) -> Unknown {
        let Question {
            position,
            rules,
            count,
            mode,
        } = question;
        let why = error.to_string();
        let missing = error.is_missing();
        let Ok(mut moves) = self.tablebase.moves_by_category(position, *rules, count) else {
            return Unknown::Failed(why);
        };
        if *mode == CountMode::Off {
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
        let Question {
            position,
            rules,
            count,
            mode,
        } = question;
        let against_bare_king = position.material().is_bare_without_bia();
        if *mode != CountMode::Off {
            let ranked = self.tablebase.best_moves(position, *rules, count)?;
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

    /// The question after a move, if somebody wins; none in a draw, where no line leads on.
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

/// What a category is if nothing is counted.
fn on_the_board(category: Category) -> Category {
    match category {
        Category::CursedWin => Category::Win,
        Category::BlessedLoss => Category::Loss,
        category => category,
    }
}
