//! The argument of commands that take sets of endings.

use std::collections::BTreeSet;

use sakmak::board::Game;
use sakmak::material::{CanonicalMaterial, MaterialError, closure, parse_set};
use sakmak::probe::Tablebase;

use super::Failure;

/// The sets of endings that a command is applied to.
#[derive(clap::Args)]
pub struct SetArgs {
    /// Endings: KSMvK, bare-4, all-5, or several of them [default: all tables found]
    #[arg(value_name = "SET")]
    sets: Vec<String>,
}

impl SetArgs {
    /// True if no set is named, so that the command applies to all tables found.
    pub fn is_all(&self) -> bool {
        self.sets.is_empty()
    }

    /// The endings named on the command line and their subendings, subendings first. If none is
    /// named, all endings that have tables.
    pub fn materials(&self, tablebase: &Tablebase) -> Result<BTreeSet<CanonicalMaterial>, Failure> {
        if self.is_all() {
            return Ok(tablebase.inventory().materials().collect());
        }
        Ok(closure(self.named()?).into_iter().collect())
    }

    /// Like [`SetArgs::materials`], but the endings are those of this game: `KRPvK` is
    /// `KRPvK-asean` in ASEAN chess.
    pub fn materials_in(
        &self,
        game: Game,
        tablebase: &Tablebase,
    ) -> Result<BTreeSet<CanonicalMaterial>, Failure> {
        if self.is_all() {
            let found = tablebase.inventory().materials();
            return Ok(found
                .filter(|ending| ending.in_game(game) == *ending)
                .collect());
        }
        let named = self.named()?.into_iter();
        let named: Vec<_> = named
            .map(|ending| ending.in_game_unless_named(game))
            .collect();
        for ending in &named {
            ending.material().check_men().map_err(MaterialError::from)?;
        }
        Ok(closure(named).into_iter().collect())
    }

    /// The endings named on the command line, singly or as part of a set. Subendings are not added.
    pub fn named(&self) -> Result<BTreeSet<CanonicalMaterial>, Failure> {
        let mut materials = BTreeSet::new();
        for word in &self.sets {
            match word.parse::<CanonicalMaterial>() {
                Ok(material) => drop(materials.insert(material)),
                Err(_) => materials.extend(parse_set(word)?),
            }
        }
        Ok(materials)
    }
}
