//! Adds up an ending, lane by lane.

use std::sync::Arc;

use super::black_sums::BlackSums;
use super::captures::{Bared, LastMan, RoleCaptures, add_bare_captures, merge_captures};
use super::count::available;
use super::dense::AfterCaptures;
use super::lanes::Plane;
use super::reader::Reader;
use super::sums::WhiteSums;
use crate::board::Color;
use crate::index::{Group, Layout};
use crate::material::CanonicalMaterial;
use crate::probe::ProbeError;

/// The sums over an ending, with the subendings that they need.
#[derive(Debug)]
pub struct Scanner {
    groups: Vec<Group>,
    captures: Captures,
}

/// Which captures are counted, with the subendings they lead to.
#[derive(Debug)]
enum Captures {
    /// Captures of Black's last man.
    LastMan(Arc<Bared>),
    /// Captures of White's men by the bare king, with all of White's wins after them, and those
    /// wins that are in time.
    ByBareKing(AfterCaptures, AfterCaptures),
    /// No captures are counted, since Black has several men.
    Uncounted,
}

/// The sums.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// With White to move.
    pub white: WhiteSums,
    /// With Black to move.
    pub black: BlackSums,
    /// The captures of Black's last man.
    pub last_man: LastMan,
    /// The bare king's captures.
    pub bare_captures: RoleCaptures,
}

impl Scanner {
    /// Reads the subendings after captures.
    ///
    /// # Errors
    ///
    /// If a table of a subending is missing or corrupt.
    pub fn new(material: CanonicalMaterial, reader: &Reader<'_>) -> Result<Scanner, ProbeError> {
        let men = material.material();
        let captures = match men.black.len() {
            0 => {
                // A capture changes neither the limit nor the number counted. White is to move
                // afterwards, with the allowance from before the bare king's move.
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

    /// The groups of a plane's men.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Adds the lanes of a plane.
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
    /// Adds other sums.
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
