//! Computes the distance of a position from the distances after its moves, even if the position is
//! stored. Used to check tables.

use super::distance::{Distance, Honor, InMoves, InPlies, Plies};
use super::error::ProbeError;
use super::lookup::Lookup;
use super::tablebase::Tablebase;
use crate::board::{Game, Position};
use crate::rules::RuleSet;

impl Tablebase {
    /// A position's distance to mate in a game, computed from the distances after its moves even if
    /// the position is stored. Used to check tables.
    pub(crate) fn dtm_by_moves(
        &self,
        game: Game,
        position: &Position,
    ) -> Result<Distance, ProbeError> {
        Lookup::of_game(&self.store, game).by_moves(InMoves::DTM, position)
    }

    /// A position's distance to honor, computed from the distances after its moves.
    pub(crate) fn dth_by_moves(
        &self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Distance, ProbeError> {
        let mut lookup = Lookup::under(&self.store, rules);
        match Honor::of(rules) {
            Honor::Moves(measure) => lookup.by_moves(measure, position),
            Honor::Plies(measure) => Ok(lookup.by_moves(measure, position)?.in_moves()),
        }
    }

    /// Like [`Tablebase::asean_plies`], but computed from the distances after the position's moves.
    pub(crate) fn asean_plies_by_moves(
        &self,
        position: &Position,
    ) -> Result<Distance<Plies>, ProbeError> {
        Lookup::under(&self.store, RuleSet::Asean).by_moves(InPlies, position)
    }

    /// The distance to honor in ASEAN chess, in plies. Against a bare king, in endings in which
    /// [late captures matter](crate::rules::late_captures_matter), it is the number of plies until
    /// mate or a capture by that king.
    pub(crate) fn asean_plies(&self, position: &Position) -> Result<Distance<Plies>, ProbeError> {
        Lookup::under(&self.store, RuleSet::Asean).distance(InPlies, position)
    }
}

/// The distance to honor in ASEAN chess, in plies. Against a bare king, in endings in which [late
/// captures matter](crate::rules::late_captures_matter), it is the number of plies until mate or a
/// capture by that king.
///
/// # Errors
///
/// As for [`Tablebase::dtm`].
pub fn asean_plies(
    tablebase: &Tablebase,
    position: &Position,
) -> Result<Distance<Plies>, ProbeError> {
    tablebase.asean_plies(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Fen, Lettering};

    #[test]
    fn a_metric_that_a_table_lacks_is_an_error_and_not_an_endless_recursion() {
        // The table has distances to mate only: against a bare king nothing else is needed.
        let root = env!("CARGO_MANIFEST_DIR");
        // Not included at compile time: the published crate has no tests.
        let table = std::fs::read(format!("{root}/tests/golden/format-3-symbol-ranking.skm"));
        let mut tablebase = Tablebase::new();
        tablebase.add_bytes(table.unwrap()).unwrap();
        for fen in ["8/8/8/8/8/2k5/8/K6R w", "8/8/8/8/8/2k5/8/K6R b"] {
            let position = Fen::parse(fen, Lettering::Makruk).unwrap().position;
            assert!(tablebase.dtm_by_moves(Game::Makruk, &position).is_ok());
            for rules in RuleSet::ALL {
                let found = tablebase.dth_by_moves(&position, rules);
                assert!(matches!(found, Err(ProbeError::Table(_))), "{found:?}");
            }
        }
    }
}
