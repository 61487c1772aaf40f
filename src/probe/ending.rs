//! All positions of an ending with their values.

use super::error::ProbeError;
use super::tablebase::Tablebase;
use super::value::Value;
use crate::board::{Color, Position};
use crate::material::{Material, Positions};
use crate::rules::{Count, RuleSet};

/// The positions of an ending with their values: see [`Tablebase::ending`].
#[derive(Clone, Debug)]
pub struct Ending<'a> {
    tablebase: &'a Tablebase,
    positions: Positions,
    rules: RuleSet,
}

impl Tablebase {
    /// All legal positions of an ending with one side to move, in the order of
    /// [`Material::positions`], each with its value under a fresh count. The table may store
    /// positions with either side to move; if it stores those with the other side, each position
    /// takes several lookups.
    ///
    /// ```no_run
    /// use sakmak::{Category, Color, RuleSet, Tablebase};
    ///
    /// let mut tablebase = Tablebase::new();
    /// tablebase.add_directory("tables")?;
    /// let mut drawn_by_the_count = 0;
    /// for answer in tablebase.ending("KSMvK".parse()?, RuleSet::Makruk, Color::White) {
    ///     let (_position, value) = answer?;
    ///     drawn_by_the_count += u32::from(value.category == Category::CursedWin);
    /// }
    /// println!("{drawn_by_the_count} positions are drawn only because of the count");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ending(&self, material: Material, rules: RuleSet, turn: Color) -> Ending<'_> {
        Ending {
            tablebase: self,
            positions: material.positions(rules.game(), turn),
            rules,
        }
    }
}

impl Iterator for Ending<'_> {
    type Item = Result<(Position, Value), ProbeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let position = self.positions.next()?;
        let value = self.tablebase.probe(&position, self.rules, &Count::Fresh);
        Some(value.map(|value| (position, value)))
    }
}
