//! Play with sakmak's endgame tables: [`annotate`] adds the tables' results to games, [`find`]
//! searches for positions and sets puzzles, and [`uci`] is an engine that plays from the tables.

pub mod annotate;
pub mod find;
pub mod uci;
