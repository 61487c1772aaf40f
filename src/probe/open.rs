//! A table that has been opened, with what is needed to find a position in it.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::cache;
use super::distance::{Distance, Moves};
use crate::board::{Color, Position};
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::table::{Access, Code, Metric, TableError, TableFile};

/// A section with its numbering.
#[derive(Debug)]
struct Stored {
    section: usize,
    metric: Metric,
    side: Color,
    layout: Layout,
}

/// An open table.
#[derive(Debug)]
pub(super) struct OpenTable {
    id: u64,
    file: TableFile,
    /// All sections. At least one has distances to mate.
    stored: Vec<Stored>,
}

impl OpenTable {
    /// Opens the table of a material.
    pub fn open(path: &Path, material: CanonicalMaterial) -> Result<OpenTable, TableError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let file = TableFile::open_as(path, material, Access::Map)?;
        let mut stored = Vec::new();
        for section in file.sections() {
            let info = &section.header().info;
            let layout = Layout::from_bytes(material, Color::White, info.symmetry, &info.order)
                .ok()
                .filter(|layout| layout.cells() == section.header().cells)
                .ok_or_else(|| file.damaged("its order of men is not its material's"))?;
            stored.push(Stored {
                section: section.number(),
                metric: info.metric,
                side: info.side,
                layout,
            });
        }
        if !stored.iter().any(|stored| stored.metric == Metric::Dtm) {
            return Err(file.damaged("it has no distances to mate"));
        }
        Ok(OpenTable {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            file,
            stored,
        })
    }

    /// The file.
    pub fn file(&self) -> &TableFile {
        &self.file
    }

    /// The metric whose section is to be read for this one: itself, or its base, which it equals
    /// if it has no section. None if the table has neither.
    pub fn resolve(&self, metric: Metric) -> Option<Metric> {
        let has = |metric: &Metric| self.stored.iter().any(|stored| stored.metric == *metric);
        [Some(metric), metric.base()]
            .into_iter()
            .flatten()
            .find(has)
    }

    /// True if positions with this side to move are stored under this metric, which has a section.
    pub fn stores(&self, metric: Metric, turn: Color) -> bool {
        self.find(metric, turn).is_some()
    }

    fn find(&self, metric: Metric, turn: Color) -> Option<&Stored> {
        let fits = |stored: &&Stored| stored.metric == metric && stored.side == turn;
        self.stored.iter().find(fits)
    }

    /// The distance of a position of exactly this material, if it is stored with this side to
    /// move under this metric.
    pub fn distance(
        &self,
        position: &Position,
        metric: Metric,
    ) -> Result<Option<Distance>, TableError> {
        let turn = position.turn();
        let Some(stored) = self.find(metric, turn) else {
            return Ok(None);
        };
        let mut code = self.code(stored, position)?;
        if code == Some(Code::Base) {
            let base = metric.base().and_then(|base| self.find(base, turn));
            code = match base {
                Some(base) => self.code(base, position)?,
                None => None,
            };
        }
        let (winner, moves) = match code {
            Some(Code::Draw) => return Ok(Some(Distance::Draw)),
            Some(Code::WhiteWins(moves)) => (Color::White, moves),
            Some(Code::BlackWins(moves)) => (Color::Black, moves),
            Some(Code::Base) | None => {
                return Err(self.file.damaged("a position of its material has no value"));
            }
        };
        Ok(Some(match winner == turn {
            true => Distance::Win(Moves(moves)),
            false => Distance::Loss(Moves(moves)),
        }))
    }

    /// The code of a position; none if it has no number.
    fn code(&self, stored: &Stored, position: &Position) -> Result<Option<Code>, TableError> {
        let layout = &stored.layout;
        let groups = layout.groups();
        let anchor = layout.anchor();
        let cell = layout.number(position.king(anchor), position.king(!anchor), |group| {
            position.men(groups[group].color, groups[group].role)
        });
        match self.file.sections().nth(stored.section) {
            Some(section) => cache::code(self.id, section, cell),
            None => Ok(None),
        }
    }
}
