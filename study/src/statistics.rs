//! The statistics of an ending as a document: the output of `stats --json`.

use serde::Serialize;

use sakmak::board::{Color, Fen, Lettering};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Overlay, ProbeError, Tablebase};
use sakmak::rules::RuleSet;
use sakmak::statistics::{Counts, Example, Statistics};

/// The statistics of an ending as a JSON document, with an overlay (the wins inside the count) for
/// each rule set.
#[derive(Clone, Debug, Serialize)]
pub struct StatisticsDocument<'a> {
    material: String,
    men: usize,
    white_to_move: CountsDocument<'a>,
    black_to_move: CountsDocument<'a>,
    /// The overlay for each rule set that the table supports.
    pub rules: Vec<Overlay>,
    /// The rule sets that allow the ending but that the table does not support.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_rules: Vec<RuleSet>,
}

#[derive(Clone, Debug, Serialize)]
struct CountsDocument<'a> {
    legal: u64,
    white_wins: &'a [u64],
    black_wins: &'a [u64],
    draws: u64,
}

impl<'a> CountsDocument<'a> {
    fn new(counts: &'a Counts) -> CountsDocument<'a> {
        CountsDocument {
            legal: counts.legal(),
            white_wins: &counts.white_wins,
            black_wins: &counts.black_wins,
            draws: counts.draws,
        }
    }
}

impl<'a> StatisticsDocument<'a> {
    /// Reads the statistics of an ending from the header of its table.
    ///
    /// # Errors
    ///
    /// As for [`Inventory::table`](sakmak::probe::Inventory::table).
    pub fn new(
        tablebase: &'a Tablebase,
        material: CanonicalMaterial,
    ) -> Result<StatisticsDocument<'a>, ProbeError> {
        let statistics = tablebase.inventory().statistics(material)?;
        let found = tablebase.inventory().rule_sets(material)?;
        let mut rules = Vec::new();
        for set in found.iter() {
            rules.push(tablebase.inventory().overlay(material, set)?);
        }
        Ok(StatisticsDocument {
            material: material.to_string(),
            men: material.men(),
            white_to_move: CountsDocument::new(&statistics.white_to_move),
            black_to_move: CountsDocument::new(&statistics.black_to_move),
            rules,
            missing_rules: found.lacking(material.material()).collect(),
        })
    }
}

/// One example of each distance to mate for each side to move, as a FEN in makruk's letters.
/// White's and Black's wins are separate lists, in the order of their distances.
#[derive(Clone, Debug, Serialize)]
pub struct ExamplesDocument {
    white_to_move: ExamplesToMove,
    black_to_move: ExamplesToMove,
}

#[derive(Clone, Debug, Serialize)]
struct ExamplesToMove {
    white_wins: Vec<Option<String>>,
    black_wins: Vec<Option<String>>,
}

impl ExamplesDocument {
    /// Collects the examples from an ending's statistics.
    pub fn new(material: CanonicalMaterial, statistics: &Statistics) -> ExamplesDocument {
        let of = |turn: Color, winner: Color| {
            let examples = statistics.to_move(turn).examples(winner).iter();
            let fen = |example: &Option<Example>| {
                let position = example.as_ref()?.position(material, turn)?;
                Some(Fen::new(position).display(Lettering::Makruk).to_string())
            };
            examples.map(fen).collect()
        };
        let to_move = |turn| ExamplesToMove {
            white_wins: of(turn, Color::White),
            black_wins: of(turn, Color::Black),
        };
        ExamplesDocument {
            white_to_move: to_move(Color::White),
            black_to_move: to_move(Color::Black),
        }
    }
}
