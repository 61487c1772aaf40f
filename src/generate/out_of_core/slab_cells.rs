//! Reads the cells of a large ending in the order of its table, in which White's king or the bia
//! are the outermost component. Only the slabs being read are in memory.

use std::ops::Range;
use std::sync::{Arc, RwLock};

use super::assemble::Slabs;
use crate::generate::cell::Cell;
use crate::generate::choose_order::{orders, smallest};
use crate::generate::permute::Permutation;
use crate::generate::section::SectionCells;
use crate::huge_pages::HugeArray;
use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;
use crate::table::{
    BlockPacking, CellSource, Code, Packing, SectionInfo, TableError, WriteOptions,
};

/// The cells of separately solved slices, assembled slab by slab.
#[derive(Debug)]
pub struct SlicedCells<S> {
    /// The solved slices, from which slabs are assembled.
    pub slices: S,
    /// The code for each value of a cell, indexed by the value.
    pub codes: Vec<Code>,
}

impl<S: Slabs> SectionCells for SlicedCells<S> {
    fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// Among the layouts with the slabs outermost, chooses the layout whose sampled blocks are
    /// smallest. All samples come from the middle slab.
    fn best_order(
        &self,
        material: CanonicalMaterial,
        _info: &SectionInfo,
        options: &WriteOptions,
    ) -> Result<(Layout, BlockPacking), TableError> {
        let symmetry = Layout::symmetry_of(material);
        let groups = Layout::groups_of(material).len();
        let outermost = self.slices.outermost();
        let mut inner = match outermost {
            Component::Anchor => vec![Component::Lane],
            _ => vec![Component::Anchor, Component::Lane],
        };
        inner.extend((0..groups).map(Component::Group));
        let layouts = orders(&inner).into_iter().filter_map(|mut order| {
            order.insert(0, outermost);
            Layout::new(material, symmetry, &order).ok()
        });
        let layouts: Vec<Layout> = layouts.collect();
        let window = Arc::new(SlabWindow::new(&self.slices, None));
        let source = |layout: &Layout| SlabCells {
            window: Arc::clone(&window),
            permutation: Some(permutation(&self.slices, layout)),
        };
        let slab = self.slices.slabs() / 2;
        let cells = window.cells_of(slab);
        window.load(slab..slab + 1)?;
        // Samples only whole blocks of that slab.
        let size = u64::from(options.block_cells);
        let first = cells.start.div_ceil(size);
        let blocks = first..(cells.end / size).max(first);
        let layout = smallest(layouts, self.codes.len(), options, blocks, &source);
        Ok((layout, options.plain()))
    }

    fn can_have(&self, layout: &Layout, packing: BlockPacking) -> bool {
        layout.order().first() == Some(&self.slices.outermost()) && packing.kind == Packing::Plain
    }

    fn in_order(&self, layout: &Layout) -> Box<dyn CellSource + '_> {
        // A slab is permuted as a whole after assembly, unless its lanes stay innermost.
        let lanes_innermost = layout.order().last() == Some(&Component::Lane);
        let permutation = permutation(&self.slices, layout);
        let (beforehand, when_read) = if lanes_innermost {
            (None, Some(permutation))
        } else {
            (Some(permutation), None)
        };
        Box::new(SlabCells {
            window: Arc::new(SlabWindow::new(&self.slices, beforehand)),
            permutation: when_read,
        })
    }
}

/// The permutation that brings the cells of one slab into the order of a layout. The layout's
/// outermost component must be that of the slabs.
fn permutation(slices: &dyn Slabs, layout: &Layout) -> Permutation {
    assert_eq!(layout.order()[0], slices.outermost());
    let array = slices.whole().table_layout(layout.material());
    Permutation::new(&layout.order()[1..], &array)
}

/// The slabs that are in memory.
#[derive(Debug)]
struct SlabWindow<'a> {
    slices: &'a dyn Slabs,
    /// The permutation applied to each slab after it is assembled. None if slabs stay in the
    /// assembled order.
    permutation: Option<Permutation>,
    /// The cells of each slab that is in memory.
    slabs: RwLock<Vec<Option<Arc<HugeArray<u8>>>>>,
}

impl<'a> SlabWindow<'a> {
    /// Makes a window with no slab in memory.
    fn new(slices: &'a dyn Slabs, permutation: Option<Permutation>) -> SlabWindow<'a> {
        SlabWindow {
            slabs: RwLock::new(vec![None; slices.slabs()]),
            slices,
            permutation,
        }
    }

    /// Loads the wanted slabs, and drops all others.
    fn load(&self, wanted: Range<usize>) -> Result<(), TableError> {
        {
            let mut slabs = self
                .slabs
                .write()
                .expect("no thread panics while it holds the lock");
            for (slab, cells) in slabs.iter_mut().enumerate() {
                if !wanted.contains(&slab) {
                    *cells = None;
                }
            }
        }
        for slab in wanted {
            if self.loaded(slab).is_none() {
                let mut cells = HugeArray::zeroed(self.slab_cells());
                self.slices.slab(slab, &mut cells)?;
                if let Some(permutation) = &self.permutation {
                    cells = permutation.all(&cells);
                }
                let mut slabs = self
                    .slabs
                    .write()
                    .expect("no thread panics while it holds the lock");
                slabs[slab] = Some(Arc::new(cells));
            }
        }
        Ok(())
    }

    /// The cells of a slab. None if the slab is not in memory.
    fn loaded(&self, slab: usize) -> Option<Arc<HugeArray<u8>>> {
        let slabs = self
            .slabs
            .read()
            .expect("no thread panics while it holds the lock");
        slabs[slab].clone()
    }

    fn slab_cells(&self) -> usize {
        self.slices.slab_lanes() * 64
    }

    /// The indices of a slab's cells.
    fn cells_of(&self, slab: usize) -> Range<u64> {
        let first = (slab * self.slab_cells()) as u64;
        first..first + self.slab_cells() as u64
    }
}

/// The cells of an ending in the order of a table, read from the slabs in memory.
#[derive(Debug)]
struct SlabCells<'a> {
    window: Arc<SlabWindow<'a>>,
    /// The permutation applied to a slab's cells when they are read. None if the slabs in memory
    /// already have the table's order.
    permutation: Option<Permutation>,
}

impl CellSource for SlabCells<'_> {
    fn cells(&self) -> u64 {
        (self.window.slices.slabs() * self.window.slab_cells()) as u64
    }

    fn prepare(&self, cells: Range<u64>) -> Result<(), TableError> {
        let slab = |cell: u64| (cell / self.window.slab_cells() as u64) as usize;
        self.window
            .load(slab(cells.start)..slab(cells.end.max(1) - 1) + 1)
    }

    fn read(&self, start: u64, mut out: &mut [u16]) {
        let slab_cells = self.window.slab_cells();
        let mut start = start as usize;
        while !out.is_empty() {
            let at = start % slab_cells;
            let run = (slab_cells - at).min(out.len());
            let (now, rest) = out.split_at_mut(run);
            let cells = self.window.loaded(start / slab_cells);
            let cells = cells.expect("the writer prepares every range before it reads it");
            match &self.permutation {
                Some(permutation) => permutation.read(&cells, at, now, Cell::code),
                None => {
                    for (out, cell) in now.iter_mut().zip(&cells[at..]) {
                        *out = cell.code();
                    }
                }
            }
            start += run;
            out = rest;
        }
    }
}
