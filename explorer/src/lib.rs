//! The explorer's questions and answers. A question is a URL path with parameters, and its answer
//! is text. The HTTP server and the reader in the browser both call [`Ask::answer`], so both give
//! the same answers.
//!
//! ```
//! use sakmak_explorer::{Ask, Question};
//! use sakmak::probe::Tablebase;
//!
//! let ask = Ask::of_path("/v1/probe").ok_or("no such question")?;
//! let question = Question::parse(ask, "fen=8/8/8/3k4/8/3K4/8/8_w&rules=asean").unwrap();
//! let answer = ask.answer(&Tablebase::new(), &question).unwrap();
//! assert!(answer.contains("\"insufficient_material\":true"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod ask;
mod course;
mod explore;
mod games;
mod lila;
mod moves;
mod puzzles;
mod question;
mod random;
mod refusal;
mod reply;
mod search;
#[cfg(feature = "serve")]
pub mod serve;
mod values;
mod verdicts;
mod why;

pub use ask::Ask;
pub use course::CourseQuestion;
pub use explore::{Explored, Outline, explore};
pub use games::{Annotate, GamesFormat, MOST_GAMES, MOST_MOVES};
pub use puzzles::PuzzleSearch;
pub use question::{Question, parameters};
pub use random::RandomSearch;
pub use refusal::{Refusal, RefusalKind};
pub use search::Search;
pub use values::MOST_FOUND;
pub use verdicts::{Run, Scale};

#[cfg(feature = "serve")]
pub(crate) use answer::json;
