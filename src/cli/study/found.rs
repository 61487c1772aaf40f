//! A finding to which its title and commands are still to be added.

use sakmak::material::CanonicalMaterial;

use super::report::Ending;

/// A finding: its text, the endings it names, and the command that shows them.
pub struct Found {
    pub text: String,
    pub endings: Vec<CanonicalMaterial>,
    pub positions: Vec<String>,
    /// The set for the command, if the finding names no endings.
    pub set: &'static str,
}

impl Found {
    /// A finding about these endings.
    pub fn new(text: String, endings: &[&Ending]) -> Found {
        Found {
            text,
            endings: endings.iter().map(|ending| ending.material()).collect(),
            positions: Vec::new(),
            set: "bare-5",
        }
    }
}
