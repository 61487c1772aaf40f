//! The explorer's questions and answers. A question is a URL path with parameters, and its answer
//! is text. The HTTP server and the reader in the browser both call [`QuestionKind::answer`], so both give
//! the same answers.
//!
//! ```
//! use sakmak_explorer::{QuestionKind, Question};
//! use sakmak::probe::Tablebase;
//!
//! let ask = QuestionKind::of_path("/v1/probe").ok_or("no such question")?;
//! let question = Question::parse(ask, "fen=8/8/8/3k4/8/3K4/8/8_w&rules=asean").unwrap();
//! let answer = ask.answer(&Tablebase::new(), &question).unwrap();
//! assert!(answer.contains("\"insufficient_material\":true"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod count_scale;
mod course;
mod explore;
mod games;
mod lesson_questions;
mod lila;
mod moves;
mod puzzles;
mod question;
mod question_kind;
mod random;
mod refusal;
mod reply;
mod search;
#[cfg(feature = "serve")]
pub mod serve;
mod values;
mod why;

pub use count_scale::{Run, Scale};
pub use course::CourseQuestion;
pub use explore::{Explored, Outline, explore};
pub use games::{Annotate, GamesFormat, MOST_GAMES, MOST_MOVES};
pub use puzzles::PuzzleSearch;
pub use question::{Question, parameters};
pub use question_kind::QuestionKind;
pub use random::RandomSearch;
pub use refusal::{Refusal, RefusalKind};
pub use search::Search;
pub use values::MOST_FOUND;

#[cfg(feature = "serve")]
pub(crate) use answer::json;
