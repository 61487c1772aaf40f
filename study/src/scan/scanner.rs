//! Adds up the results of an ending, lane by lane.

use std::sync::Arc;

use super::captures::{Bared, LastMan, RoleCaptures, add_bare_captures, merge_captures};
use super::count::available;
use super::dense::AfterCaptures;
use super::lanes::Plane;
use super::reader::Reader;
use super::sums::{BlackSums, WhiteSums};
use sakmak::board::Color;
use sakmak::index::{Group, Layout};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::ProbeError;

/// Adds up the results of one ending, with the help of the subendings that captures lead to.
#[derive(Debug)]
pub struct Scanner {
    groups: Vec<Group>,
    captures: Captures,
}

/// The kind of captures that are counted, with the subendings that they lead to.
#[derive(Debug)]
enum Captures {
    /// White's captures of Black's last man.
    LastMan(Arc<Bared>),
    /// Captures of White's men by the bare king. In the first set of subendings, all of White's
    /// wins count as wins; in the second, only those in time.
    ByBareKing(AfterCaptures, AfterCaptures),
    /// No captures are counted, since Black has several men.
    Uncounted,
}

/// The sums of a scan.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// The sums with White to move.
    pub white: WhiteSums,
    /// The sums with Black to move.
    pub black: BlackSums,
    /// The sums over White's captures of Black's last man.
    pub last_man: LastMan,
    /// The sums over the bare king's captures, by role.
    pub bare_captures: RoleCaptures,
}

impl Scanner {
    /// Prepares a scan: reads the subendings after captures.
    ///
    /// # Errors
    ///
    /// If a table of a subending is missing or corrupt.
    pub fn new(material: CanonicalMaterial, reader: &Reader<'_>) -> Result<Scanner, ProbeError> {
        let men = material.material();
        let captures = match men.black.len() {
            0 => {
                // A capture by the bare king changes neither the limit nor the number counted.
                // Afterwards White is to move, and has the moves that were left before the capture.
                let limit = available(men, Color::White, Color::Black);
                let after = |limit| reader.after_captures_of_white(men, limit);
                Captures::ByBareKing(after(None)?, after(Some(limit))?)
            }
            1 => Captures::LastMan(reader.bared(material)?),
            _ => Captures::Uncounted,
        };
        Ok(Scanner {
            groups: Layout::groups_of(material),
            captures,
        })
    }

    /// The groups of like men, in the order of [`Plane::men`].
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Adds the lanes of a plane (all positions that differ only in the kings).
    pub fn add(&self, sums: &mut Sums, plane: &Plane<'_>) {
        sums.white.add(&self.groups, plane);
        sums.black.add(plane);
        match &self.captures {
            Captures::LastMan(bared) => sums.last_man.add(bared, &self.groups, plane),
            Captures::ByBareKing(all, in_time) => {
                let captures = &mut sums.bare_captures;
                add_bare_captures(captures, (all, in_time), &self.groups, plane);
            }
            Captures::Uncounted => {}
        }
    }
}

impl Sums {
    /// Adds up the sums of two tasks.
    #[must_use]
    pub fn merge(self, other: Sums) -> Sums {
        Sums {
            white: self.white.merge(other.white),
            black: self.black.merge(other.black),
            last_man: self.last_man.merge(other.last_man),
            bare_captures: merge_captures(self.bare_captures, &other.bare_captures),
        }
    }
}
