//! What a run will make and need, known before it starts.

use super::method::{Method, slices};
use crate::board::{Color, Role};
use crate::material::{Army, CanonicalMaterial};
use crate::solve::LaneLayout;

/// What one table takes to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The material.
    pub material: CanonicalMaterial,
    /// How it is solved.
    pub method: Method,
    /// The slices that are solved one by one: 1 if it is solved whole.
    pub slices: usize,
    /// The cells that are solved at most: the numbers of positions, legal or not, with either side
    /// to move, for each side's wins and each distance.
    pub cells: u64,
    /// The most memory that making it takes, in bytes.
    pub memory_bytes: u64,
    /// The part of it that the arrays take which are there at the same time at the worst moment of
    /// solving and collecting.
    pub array_bytes: u64,
    /// About how many bytes its steps take on disk until the table is done.
    pub work_bytes: u64,
    /// About how many bytes the table will have with the usual options.
    pub table_bytes: u64,
}

/// Bytes a lane of an array of bits: one word.
const WORD: u64 = 8;

/// BitPlanes for the distances against a bare king: up to 63 moves.
const BARE_PLANES: u64 = 6;

/// BitPlanes for White's distances where both sides have men: up to 127 moves, or 255 with a khon, the
/// slowest of all to win.
fn white_planes(army: Army) -> u64 {
    match army.count(Role::Khon) {
        0 => 7,
        _ => 8,
    }
}

/// BitPlanes for Black's distances with Black to move, which are one more than its moves. A single
/// leaper mates only where White's men stand in their king's way, and soon or not at all: a khon
/// in up to 6 moves, another in up to 2. Whatever is more may be left with a win against a bare
/// king.
fn black_planes(army: Army) -> u64 {
    match (army.len(), army.count(Role::Rook), army.count(Role::Khon)) {
        (1, 0, 0) => 2,
        (1, 0, 1) => 3,
        _ => BARE_PLANES,
    }
}

/// Bytes a lane of the cells, one byte each.
const CELLS: u64 = 64;

/// What is needed beside the arrays against a bare king: the program and the threads, and what the
/// writer keeps of the cells: a fifth of them, but not more than this.
const PROGRAM: u64 = 40 << 20;
const WRITER: u64 = 24 << 20;

/// The same where both sides have men: larger blocks, more kinds of them, and what the allocator keeps
/// from one metric to the next.
const BESIDES: u64 = 84 << 20;

/// Bytes for each eight cells of the steps on disk: somewhat more than the most that was measured.
const WORK_OF_EIGHT: u64 = 3;

/// What making a material's table takes with so much memory, if there is a limit: the quickest way
/// that fits. If none does, the plan is the one that needs least.
pub fn plan(material: CanonicalMaterial, memory: Option<u64>) -> Plan {
    let first = plan_by(Method::of(material), material);
    let fits = memory.is_none_or(|memory| first.memory_bytes <= memory);
    if fits || first.method != Method::Memory || !material.is_bare() {
        return first;
    }
    let other = plan_by(Method::Files, material);
    match other.memory_bytes < first.memory_bytes {
        true => other,
        false => first,
    }
}

/// What making a material's table by one method takes.
pub fn plan_by(method: Method, material: CanonicalMaterial) -> Plan {
    let lane_layout = LaneLayout::new(material.material(), Color::White);
    let lanes = lanes_of(&lane_layout);
    let cells = lanes.saturating_mul(64);
    let divided = match method {
        Method::Memory => 1,
        Method::Files | Method::Slices => slices(material, method == Method::Slices).len(),
    };
    let (array_bytes, memory_bytes, work_bytes) = match method {
        Method::Memory => {
            let arrays = Arrays::of(material);
            (arrays.most(), in_memory(material, &arrays), 0)
        }
        Method::Files | Method::Slices => {
            let (arrays, work) = through_files(material, &lane_layout, method);
            (
                arrays,
                arrays.saturating_add(besides(material, cells)),
                work,
            )
        }
    };
    // One solve against a bare king; else two by mate, and one for each rule set by honor.
    let (solves, sections) = if material.is_bare() { (1, 1) } else { (5, 3) };
    Plan {
        material,
        method,
        slices: divided,
        cells: cells.saturating_mul(2 * solves),
        memory_bytes,
        array_bytes,
        work_bytes,
        // As measured over all endings of up to five men.
        table_bytes: cells.saturating_mul(sections) / 92 * 10,
    }
}

/// What is needed beside the arrays of an ending with so many cells.
fn besides(material: CanonicalMaterial, cells: u64) -> u64 {
    match material.is_bare() {
        true => PROGRAM + WRITER.min(cells / 5),
        false => BESIDES,
    }
}

/// The memory of an ending solved all at once.
fn in_memory(material: CanonicalMaterial, arrays: &Arrays) -> u64 {
    // The cells are laid out anew for the writer.
    let written = arrays.base.saturating_add(arrays.cells.saturating_mul(2));
    written
        .max(arrays.most())
        .saturating_add(besides(material, arrays.cells))
}

/// The bytes of the arrays that are there at the same time while an ending is solved in memory.
/// Smaller endings that were solved for its leaves are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arrays {
    /// While White's wins are solved.
    white: u64,
    /// While they become cells: what is open, the distances, the cells.
    collecting: u64,
    /// While Black's wins are solved, beside White's cells; 0 if Black has no men.
    black: u64,
    /// The cells of the section to be written.
    cells: u64,
    /// The cells of another metric that it is held against; 0 if Black has no men.
    base: u64,
}

impl Arrays {
    fn of(material: CanonicalMaterial) -> Arrays {
        let own = material.material();
        let lane_layout = LaneLayout::new(own, Color::White);
        let lanes = lanes_of(&lane_layout);
        let times = |bytes: u64| lanes.saturating_mul(bytes);
        let solving = |lane_layout: &LaneLayout, words: u64| {
            times(WORD * words)
                .saturating_add(losses_of(lane_layout))
                .saturating_add(leaves_of(lane_layout))
                .saturating_add(moves_of(lane_layout))
        };
        let cells = times(CELLS);
        if material.is_bare() {
            // Beside the distances what is open.
            return Arrays {
                white: solving(&lane_layout, 1 + BARE_PLANES),
                collecting: times(WORD * (1 + BARE_PLANES) + CELLS),
                black: 0,
                cells,
                base: 0,
            };
        }
        let white_planes = white_planes(own.army(Color::White));
        let black_planes = black_planes(own.army(Color::Black));
        // Beside the distances what is open, and what is pending.
        let black = solving(&LaneLayout::new(own, Color::Black), 2 + black_planes);
        Arrays {
            white: solving(&lane_layout, 2 + white_planes),
            collecting: times(WORD * (1 + white_planes) + CELLS),
            black: black.saturating_add(cells),
            cells,
            base: cells,
        }
    }

    /// The most at any time.
    fn most(&self) -> u64 {
        let most = self.white.max(self.collecting).max(self.black);
        most.max(self.cells).saturating_add(self.base)
    }
}

/// The arrays of an ending solved through files, and the bytes of its steps.
fn through_files(material: CanonicalMaterial, whole: &LaneLayout, method: Method) -> (u64, u64) {
    let sliced = method == Method::Slices;
    let slices = slices(material, sliced);
    let solving = slices.iter().map(|(_, lane_layout)| {
        let open = lanes_of(lane_layout).saturating_mul(WORD);
        open.saturating_add(losses_of(lane_layout))
            .saturating_add(leaves_of(lane_layout))
            .saturating_add(moves_of(lane_layout))
    });
    let solving = solving.max().unwrap_or(0);
    let slab = |lane_layout: &LaneLayout| lanes_of(lane_layout) / lane_layout.domain().len() as u64;
    let slab_cells = slab(whole).saturating_mul(CELLS);
    // A slab's distances from all slices, the mirrored ones twice.
    let numbers: u64 = slices
        .iter()
        .map(|(slice, lane_layout)| {
            let twins = if slice.is_even() { 1 } else { 2 };
            slab(lane_layout).saturating_mul(WORD * BARE_PLANES * twins)
        })
        .fold(0, u64::saturating_add);
    let writing = match sliced {
        // A block may reach from one slab into the next, and the next is put together first, then
        // laid out anew.
        true => slab_cells
            .saturating_mul(2)
            .saturating_add(numbers.max(slab_cells)),
        false => lanes_of(whole)
            .saturating_mul(CELLS)
            .saturating_add(numbers),
    };
    let lanes = slices.iter().map(|(_, lane_layout)| lanes_of(lane_layout));
    let lanes = lanes.fold(0, u64::saturating_add);
    let work = lanes.saturating_mul(64 / 8 * WORK_OF_EIGHT);
    (solving.max(writing), work)
}

/// The two arrays of losses, with the slabs of the ghosts.
fn losses_of(lane_layout: &LaneLayout) -> u64 {
    let lanes = lanes_of(lane_layout);
    let slabs = lane_layout.domain().len() as u64;
    let ghosts = lanes / slabs * lane_layout.ghosts().len() as u64;
    lanes.saturating_add(ghosts).saturating_mul(2 * WORD)
}

/// The moves of each group from placement to placement, and those of the innermost group from where
/// they arrive: no small part where there are many placements of like men, which are mets then.
fn moves_of(lane_layout: &LaneLayout) -> u64 {
    const OF_A_MAN: u64 = 56;
    const OF_A_MAN_INSIDE: u64 = 64;
    const OF_AN_IMAGE: u64 = 4;
    let groups = lane_layout.groups().iter().enumerate();
    groups
        .map(|(number, group)| {
            let men = group.count as u64;
            let innermost = number + 1 == lane_layout.groups().len();
            let inside = match innermost && men > 1 {
                true => men * OF_A_MAN_INSIDE,
                false => 0,
            };
            let images = lane_layout.ghosts().len() as u64 * OF_AN_IMAGE;
            lane_layout.placements(number).len() as u64 * (men * OF_A_MAN + inside + images)
        })
        .sum()
}

/// The smaller endings as leaves, each with the positions of one distance.
fn leaves_of(lane_layout: &LaneLayout) -> u64 {
    (0..lane_layout.groups().len())
        .map(|group| {
            let own = lane_layout.groups()[group].color == lane_layout.winner();
            let rest = lanes_of(&lane_layout.without(group));
            let slabs = lane_layout.domain().len() as u64;
            let lanes = match own {
                true => rest,
                false => rest / slabs * lane_layout.slab_kings().len() as u64,
            };
            // Where the loser has men, what it may take is known by what is open there as well.
            let open = u64::from(own && !lane_layout.is_bare());
            lanes.saturating_mul(WORD * (BARE_PLANES + 1 + open))
        })
        .fold(0, u64::saturating_add)
}

/// The lanes of a lane layout; with eight men there may be more than a machine can index.
fn lanes_of(lane_layout: &LaneLayout) -> u64 {
    (0..lane_layout.groups().len())
        .map(|group| lane_layout.placements(group).len() as u64)
        .fold(lane_layout.domain().len() as u64, u64::saturating_mul)
}
