//! The smaller endings of a solve, read from their tables.

use crate::board::{Color, Square};
use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;
use crate::solve::{Frame, Leaf};
use crate::table::{Cells, Code, Metric, TableError, TableFile};

/// A smaller ending's distances, decoded.
pub struct Smaller {
    layout: Layout,
    cells: Cells,
    /// The winner's moves for each code; 0 where it does not win.
    moves: Vec<u16>,
}

impl Smaller {
    /// Reads the distances of one side's wins from a table. Nothing if it has none.
    ///
    /// # Errors
    ///
    /// If the table is damaged, or does not hold what this version writes.
    pub fn read(table: &TableFile, winner: Color) -> Result<Option<Smaller>, TableError> {
        let material = table.material();
        let section = table
            .section(Metric::Dtm)
            .ok_or_else(|| table.damaged("has no distances to mate"))?;
        let info = &section.header().info;
        let layout = Layout::from_bytes(material, Color::White, info.symmetry, &info.order)
            .ok()
            .filter(|layout| layout.cells() == section.header().cells)
            .ok_or_else(|| table.damaged("has an order of men that is not its material's"))?;
        let moves: Vec<u16> = info
            .codes
            .iter()
            .map(|code| match (code, winner) {
                (Code::WhiteWins(moves), Color::White) => *moves,
                (Code::BlackWins(moves), Color::Black) => *moves,
                _ => 0,
            })
            .collect();
        if moves.iter().all(|&moves| moves == 0) {
            return Ok(None);
        }
        Ok(Some(Smaller {
            cells: section.decode_all(&|_| {})?,
            layout,
            moves,
        }))
    }

    /// The leaf of a frame that is reached when a man of `group` is captured.
    pub fn leaf(&self, frame: &Frame, group: usize) -> Leaf {
        let rest = frame.without(group);
        let places: Vec<usize> = self
            .layout
            .groups()
            .iter()
            .map(|g| {
                let place = rest.groups().iter().position(|f| f == g);
                place.expect("a smaller ending has the frame's other men")
            })
            .collect();
        let stride = self.layout.stride(Component::Lane);
        Leaf::collect(frame, group, &|king, men, out| {
            let (transform, base) = self.layout.lane_base(king, |g| men[places[g]]);
            for square in Square::all() {
                let cell = base + transform.square(square).index() as u64 * stride;
                let code = self.cells.get(cell as usize).unwrap_or(0);
                out[square.index()] = self.moves.get(usize::from(code)).copied().unwrap_or(0);
            }
        })
    }
}

/// The material after a man of a group of the frame is captured, if it is more than two kings.
pub fn material_without(
    material: CanonicalMaterial,
    frame: &Frame,
    group: usize,
) -> Option<CanonicalMaterial> {
    let lost = frame.groups()[group];
    let mut rest = material.material();
    let army = match lost.color {
        Color::White => &mut rest.white,
        Color::Black => &mut rest.black,
    };
    *army = army.without(lost.role)?;
    (rest.men() > crate::material::MIN_MEN).then(|| rest.canonical().0)
}
