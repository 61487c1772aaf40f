//! A table that has been opened, with what is needed to find a position in it.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::cache;
use super::dtm::{Dtm, Moves};
use crate::board::{Color, Position};
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::table::{Access, Code, Metric, TableError, TableFile};

/// A section with its numbering.
#[derive(Debug)]
struct Stored {
    section: usize,
    side: Color,
    layout: Layout,
}

/// An open table.
#[derive(Debug)]
pub(super) struct OpenTable {
    id: u64,
    file: TableFile,
    /// The sections with distances to mate: at least one.
    dtm: Vec<Stored>,
}

impl OpenTable {
    /// Opens the table of a material.
    pub fn open(path: &Path, material: CanonicalMaterial) -> Result<OpenTable, TableError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let file = TableFile::open_as(path, material, Access::Map)?;
        let mut dtm = Vec::new();
        for section in file.sections() {
            let info = &section.header().info;
            if info.metric != Metric::Dtm {
                continue;
            }
            let layout = Layout::from_bytes(material, Color::White, info.symmetry, &info.order)
                .ok()
                .filter(|layout| layout.cells() == section.header().cells)
                .ok_or_else(|| file.damaged("its order of men is not its material's"))?;
            dtm.push(Stored {
                section: section.number(),
                side: info.side,
                layout,
            });
        }
        if dtm.is_empty() {
            return Err(file.damaged("it has no distances to mate"));
        }
        Ok(OpenTable {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            file,
            dtm,
        })
    }

    /// The file.
    pub fn file(&self) -> &TableFile {
        &self.file
    }

    /// The distance to mate of a position of exactly this material, if it is stored with this
    /// side to move.
    pub fn dtm(&self, position: &Position) -> Result<Option<Dtm>, TableError> {
        let turn = position.turn();
        let stored = self.dtm.iter().find(|stored| stored.side == turn);
        stored.map(|stored| self.read(stored, position)).transpose()
    }

    /// True if positions with this side to move are stored.
    pub fn stores(&self, turn: Color) -> bool {
        self.dtm.iter().any(|stored| stored.side == turn)
    }

    fn read(&self, stored: &Stored, position: &Position) -> Result<Dtm, TableError> {
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
        let turn = position.turn();
        match code {
            Some(Code::Draw) => Ok(Dtm::Draw),
            Some(Code::WhiteWins(moves)) if turn == Color::White => Ok(Dtm::Win(Moves(moves))),
            Some(Code::BlackWins(moves)) if turn == Color::Black => Ok(Dtm::Win(Moves(moves))),
            Some(Code::WhiteWins(moves) | Code::BlackWins(moves)) => Ok(Dtm::Loss(Moves(moves))),
            Some(Code::Base) => Err(self
                .file
                .damaged("distances to mate are based on another section")),
            None => Err(self
                .file
                .damaged("a position of its material has no number")),
        }
    }
}
