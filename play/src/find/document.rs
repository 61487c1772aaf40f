//! The JSON document of a position that a search found.

use serde::Serialize;

use super::criteria::margin;
use super::finder::Found;
use sakmak::board::Fen;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Moves, ProbeError, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};

/// The output of `find --format json` for a position.
#[derive(Clone, Debug, Serialize)]
pub struct FoundDocument {
    ending: String,
    fen: String,
    rules: RuleSet,
    side_to_move: String,
    category: Category,
    dtm: Option<Moves>,
    dth: Option<Moves>,
    unit: &'static str,
    moves_available: Option<u32>,
    margin: Option<i32>,
    /// The moves that keep the result, the best first. Empty if all moves lose.
    keeping: Vec<String>,
}

impl Found {
    /// Makes the JSON document of this position.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::best_moves`].
    pub fn document(
        &self,
        tablebase: &Tablebase,
        ending: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<FoundDocument, ProbeError> {
        let Found { position, value } = self;
        let fen = Fen::new(*position);
        Ok(FoundDocument {
            ending: ending.to_string(),
            fen: fen.display(rules.lettering()).to_string(),
            rules,
            side_to_move: position.turn().to_string(),
            category: value.category,
            dtm: value.dtm.moves(),
            dth: value.dth.and_then(Distance::moves),
            unit: "moves",
            moves_available: value.allowance.map(|allowance| allowance.moves_available),
            margin: margin(value),
            keeping: self.keeping(tablebase, rules)?,
        })
    }

    /// Finds the moves that keep the result, in SAN, the best first. Empty if all moves lose.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::best_moves`].
    pub fn keeping(
        &self,
        tablebase: &Tablebase,
        rules: RuleSet,
    ) -> Result<Vec<String>, ProbeError> {
        let position = &self.position;
        let moves = tablebase.best_moves(position, rules, &Count::Fresh)?;
        let best = moves.first().map_or(-1, |ranked| ranked.category.points());
        let keeping = moves
            .iter()
            .filter(|ranked| best >= 0 && ranked.category.points() == best);
        Ok(keeping
            .map(|ranked| position.san(ranked.m, rules.lettering()))
            .collect())
    }
}
