//! A position with its count, as the commands that ask about one take it.

use sakmak::board::{Fen, FenCount, Position};
use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet, boards_honor_limit, pieces_honor_limit};

use super::Failure;

/// The position that is asked about.
#[derive(clap::Args)]
pub struct Question {
    /// The position; its letters are those of the rule set: K R N S M, or K R N B Q for asean
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    fen: Vec<String>,
    /// The rule set: makruk, asean or ouk
    #[arg(long, value_name = "RULES", default_value = "makruk", value_parser = super::rules)]
    rules: RuleSet,
    /// The number that the count has come to, in moves
    #[arg(long, value_name = "NUMBER")]
    count: Option<u32>,
    /// The limit of the count in moves, if it is not that of the men on the board
    #[arg(long, value_name = "MOVES", requires = "count")]
    limit: Option<u32>,
}

impl Question {
    /// The rule set.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The position, with the count that the FEN or the options give written into the FEN.
    pub fn read(&self, tablebase: &Tablebase) -> Result<(Fen, Count), Failure> {
        let rules = self.rules;
        let mut fen = Fen::parse(&self.fen.join(" "), rules.lettering())?;
        if let Some(number) = self.count {
            if fen.count.is_some() {
                return Err(Failure::input(
                    "the FEN gives a count and --count another: leave one of them out",
                ));
            }
            let position = &fen.position;
            fen.count = Some(given_count(tablebase, position, rules, number, self.limit)?);
            fen.clock = 0;
        }
        let count = Count::from_fen(&fen);
        count.validate(rules, fen.position.material(), fen.position.turn())?;
        Ok((fen, count))
    }
}

/// The count that `--count` and `--limit` give, in plies.
fn given_count(
    tablebase: &Tablebase,
    position: &Position,
    rules: RuleSet,
    number: u32,
    limit: Option<u32>,
) -> Result<FenCount, Failure> {
    let material = position.material();
    let (limit_of_men, counting) = match material.bare_side() {
        Some(bare) => (pieces_honor_limit(rules, material.army(!bare)), bare),
        // The side at a disadvantage counts; where neither wins it makes no difference who does.
        None => (
            boards_honor_limit(rules, material),
            tablebase
                .dtm(position)?
                .winner(!position.turn())
                .unwrap_or(position.turn()),
        ),
    };
    let limit = limit.or(limit_of_men).ok_or_else(|| {
        Failure::input(format!(
            "{rules} counts nothing in {material}: give the limit in force with --limit, or leave --count out"
        ))
    })?;
    // The number is said with a move of the counting side; until the other has moved, its ply is
    // not over.
    let waiting = u32::from(position.turn() != counting);
    let plies = |moves: u32| moves.saturating_mul(2);
    let counted = plies(number).saturating_sub(waiting);
    FenCount::new(plies(limit), counted).map_err(|_| {
        Failure::input(format!(
            "a count of {number} with a limit of {limit} moves is none: give a limit above 0 and a count of at most that"
        ))
    })
}
