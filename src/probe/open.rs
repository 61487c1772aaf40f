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
    metric: Metric,
    section: usize,
    side: Color,
    layout: Layout,
}

/// An open table.
#[derive(Debug)]
pub(super) struct OpenTable {
    id: u64,
    file: TableFile,
    /// The sections, at least one with distances to mate.
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
                metric: info.metric,
                section: section.number(),
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

    /// The distance of a position of exactly this material, if it is stored with this side to
    /// move. A metric without a section is what its base says.
    pub fn distance(
        &self,
        metric: Metric,
        position: &Position,
    ) -> Result<Option<Distance>, TableError> {
        let turn = position.turn();
        let find = |metric| {
            let mut stored = self.stored.iter();
            stored.find(|stored| stored.metric == metric && stored.side == turn)
        };
        let base = || metric.base().and_then(find);
        let Some(stored) = find(metric).or_else(base) else {
            return Ok(None);
        };
        let code = match (self.code(stored, position)?, base()) {
            (Code::Base, Some(base)) if base.metric != stored.metric => {
                self.code(base, position)?
            }
            (code, _) => code,
        };
        match (code, code.win()) {
            (Code::Base, _) => Err(self
                .file
                .damaged("a position refers to a section that is not there")),
            (_, None) => Ok(Some(Distance::Draw)),
            (_, Some((winner, moves))) if winner == turn => Ok(Some(Distance::Win(Moves(moves)))),
            (_, Some((_, moves))) => Ok(Some(Distance::Loss(Moves(moves)))),
        }
    }

    /// True if distances to mate with this side to move are stored.
    pub fn stores(&self, turn: Color) -> bool {
        let mut stored = self.stored.iter();
        stored.any(|stored| stored.metric == Metric::Dtm && stored.side == turn)
    }

    fn code(&self, stored: &Stored, position: &Position) -> Result<Code, TableError> {
        let layout = &stored.layout;
        let groups = layout.groups();
        let anchor = layout.anchor();
        let cell = layout.number(position.king(anchor), position.king(!anchor), |group| {
            position.men(groups[group].color, groups[group].role)
        });
        let code = match self.file.sections().nth(stored.section) {
            Some(section) => cache::code(self.id, section, cell)?,
            None => None,
        };
        code.ok_or_else(|| {
            self.file
                .damaged("a position of its material has no number")
        })
    }
}
