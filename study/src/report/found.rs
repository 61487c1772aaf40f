//! A finding without its title and commands, which are added later.

use sakmak::board::Fen;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;

use super::contents::Ending;
use crate::RECORD_RULES;

/// The contents of a finding: its text, and the endings and positions for the commands that show
/// it.
pub struct Found {
    pub text: String,
    pub endings: Vec<CanonicalMaterial>,
    pub positions: Vec<Fen>,
    /// The rule set of the positions.
    pub rules: RuleSet,
    /// The set of endings in the command that shows the finding, if `endings` is empty.
    pub set: &'static str,
}

impl Found {
    /// Makes a finding about these endings.
    pub fn new(text: String, endings: &[&Ending]) -> Found {
        Found {
            text,
            endings: endings.iter().map(|ending| ending.material()).collect(),
            positions: Vec::new(),
            rules: RECORD_RULES,
            set: "bare-5",
        }
    }
}
