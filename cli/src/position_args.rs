//! The arguments of commands about one position: FEN, rule set and count.

use sakmak::board::Fen;
use sakmak::probe::Tablebase;
use sakmak::rules::RuleSet;

use super::Failure;
use super::rules_help::rules_help;

/// A position with its count.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// The position; its letters are those of the rule set: K R N S M P, or K R N B Q for asean
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    fen: Vec<String>,
    #[arg(long, value_name = "RULES", default_value = "makruk", help = rules_help("The rule set"))]
    rules: RuleSet,
    /// The last number that was counted, for instance 20
    #[arg(long, value_name = "NUMBER", value_parser = moves, allow_hyphen_values = true)]
    count: Option<u32>,
    /// The limit of the count in moves, for instance 44, if the men on the board do not determine
    /// it
    #[arg(long, value_name = "MOVES", requires = "count", value_parser = moves, allow_hyphen_values = true)]
    limit: Option<u32>,
}

impl PositionArgs {
    /// The rule set that applies to the position.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// True if positions are to be read from standard input, one per line.
    pub fn is_batch(&self) -> bool {
        self.fen == ["-"]
    }

    /// True if the command line states a count, which overrides the count in the FEN.
    pub fn has_count(&self) -> bool {
        self.count.is_some()
    }

    /// Parses the position, with the count from the command line or else from the FEN.
    pub fn read(&self, tablebase: &Tablebase) -> Result<Fen, Failure> {
        let fen = self.rules.read_fen(&self.fen.join(" "))?;
        Ok(tablebase.with_count(&fen, self.rules, self.count, self.limit)?)
    }
}

/// Parses a number of moves.
fn moves(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "give a whole number of moves, for instance 20".to_string())
}
