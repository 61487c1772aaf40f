//! Stores the words of a slice's lanes in a file, slab by slab. The words are bit planes or sets of
//! positions.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::generate::out_of_core::checkpoint::SliceCounts;
use crate::generate::out_of_core::work_file::{
    BlobFile, BlobWriter, Key, compress, distances_name, part_of,
};
use crate::material::CanonicalMaterial;
use crate::parallel::ForkedByOneFunction;
use crate::solve::{BitPlanes, LaneLayout};
use crate::table::{IoAction, TableError};

/// Identifies a file of columns by its path and its key. The key depends on the ending, the file's
/// name and the order of the lanes.
#[derive(Clone, Debug)]
pub struct PlanesFileId {
    path: PathBuf,
    key: Key,
    slabs: usize,
    slab_lanes: usize,
}

/// The information that a file stores in addition to its columns.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FileInfo {
    columns: usize,
    solved: Solved,
}

/// The results of a solve that are stored in the same file as its columns.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Solved {
    /// The largest distance, including distances after captures by the lane's king.
    pub largest: u16,
    /// The numbers of positions by distance.
    pub counts: SliceCounts,
}

/// A finished file of columns. A column has one word for each lane, and is a bit plane or a set of
/// positions.
#[derive(Debug)]
pub struct PlanesFile {
    id: PlanesFileId,
    blobs: BlobFile,
    info: FileInfo,
}

/// A file of columns that is being written. Slabs may be written in any order.
pub struct PlanesWriter {
    id: PlanesFileId,
    blobs: Mutex<BlobWriter>,
}

impl PlanesFileId {
    /// Identifies a file in a work directory. The lanes of the file are in the order of `layout`.
    pub fn new(
        directory: &Path,
        material: CanonicalMaterial,
        name: &str,
        layout: &LaneLayout,
    ) -> PlanesFileId {
        let slabs = layout.domain().len();
        PlanesFileId {
            path: directory.join(distances_name(name)),
            key: Key::new(material, name, layout),
            slabs,
            slab_lanes: layout.lanes() / slabs,
        }
    }

    /// Creates the file.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub fn create(self) -> Result<PlanesWriter, TableError> {
        let blobs = BlobWriter::create(self.path.clone(), self.slabs);
        Ok(PlanesWriter {
            blobs: Mutex::new(blobs.map_err(|error| self.cannot_write(error))?),
            id: self,
        })
    }

    /// Opens the file. None if it is missing, incomplete or has another key.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open(&self) -> Result<Option<PlanesFile>, TableError> {
        let opened = BlobFile::open::<FileInfo>(&self.path, &self.key, self.slabs)?;
        Ok(opened.map(|(blobs, info)| PlanesFile {
            id: self.clone(),
            blobs,
            info,
        }))
    }

    /// Removes the file, if it exists.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn remove(&self) -> Result<(), TableError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.cannot_write(error)),
            _ => Ok(()),
        }
    }

    fn cannot_write(&self, error: std::io::Error) -> TableError {
        TableError::io(&self.path, IoAction::Write, error)
    }
}

impl PlanesWriter {
    /// Writes one slab: the words of its lanes, column by column.
    pub fn put(&self, slab: usize, words: &[u64]) {
        if words.iter().all(|&word| word == 0) {
            return;
        }
        let compressed = compress(bytemuck::cast_slice(words));
        let blobs = self.blobs.lock();
        let mut blobs = blobs.unwrap_or_else(PoisonError::into_inner);
        blobs.put(slab, compressed);
    }

    /// Writes all slabs of the given columns.
    pub fn put_columns(&self, columns: &[&[u64]]) {
        let lanes = self.id.slab_lanes;
        (0..self.id.slabs)
            .into_par_iter()
            .erased()
            .for_each_init(Vec::new, |words, slab| {
                words.clear();
                for column in columns {
                    words.extend_from_slice(&column[slab * lanes..][..lanes]);
                }
                self.put(slab, words);
            });
    }

    /// Finishes the file. Each of its slabs must have `columns` columns.
    ///
    /// # Errors
    ///
    /// If anything could not be written.
    pub fn finish(self, columns: usize, solved: Solved) -> Result<(), TableError> {
        let blobs = self.blobs.into_inner();
        let blobs = blobs.unwrap_or_else(PoisonError::into_inner);
        let info = FileInfo { columns, solved };
        let named = blobs.end(&self.id.key, info).and_then(|ended| ended.name());
        named.map_err(|error| {
            let _ = fs::remove_file(part_of(&self.id.path));
            self.id.cannot_write(error)
        })
    }
}

impl PlanesFile {
    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.info.columns
    }

    /// The results of the solve that the file belongs to.
    pub fn solved(&self) -> &Solved {
        &self.info.solved
    }

    /// The number of lanes in a slab.
    pub fn slab_lanes(&self) -> usize {
        self.id.slab_lanes
    }

    /// Reads the words of one slab, column by column.
    ///
    /// # Errors
    ///
    /// If the slab cannot be read or is corrupt.
    pub fn read(&self, slab: usize) -> Result<Vec<u64>, TableError> {
        let mut bytes = Vec::new();
        self.blobs.read(slab, &mut bytes)?;
        let words = self.id.slab_lanes * self.info.columns;
        match bytes.len() {
            0 => Ok(vec![0; words]),
            n if n == words * size_of::<u64>() => Ok(bytemuck::pod_collect_to_vec(&bytes)),
            _ => Err(self.blobs.damaged()),
        }
    }

    /// Reads all columns as bit planes.
    ///
    /// # Errors
    ///
    /// As for [`PlanesFile::read`].
    pub fn planes(&self) -> Result<BitPlanes, TableError> {
        let lanes = self.id.slab_lanes;
        let mut planes = BitPlanes::new(lanes * self.id.slabs);
        planes.make_room(((1u32 << self.info.columns) - 1) as u16);
        let parts = planes.parts_mut(lanes).into_par_iter().enumerate().erased();
        parts.try_for_each(|(slab, columns)| {
            let words = self.read(slab)?;
            for (column, words) in columns.into_iter().zip(words.chunks_exact(lanes)) {
                column.copy_from_slice(words);
            }
            Ok(())
        })?;
        Ok(planes)
    }
}
