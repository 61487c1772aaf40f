//! Out-of-core generation, for endings whose distances do not fit into memory.
//!
//! Each step of a solve is stored on disk as a checkpoint. At the end, the cells are assembled slab
//! by slab: against a bare king from the checkpoints, otherwise from distances that were collected
//! from the checkpoints into files.

pub(super) mod assemble;
mod bare;
pub(super) mod checkpoint;
mod distances;
mod in_little_memory;
mod lane_men;
pub(super) mod slab_cells;
mod solve_steps;
pub(super) mod statistics;
mod two_sided;
mod two_sided_cells;
mod whole_order;
pub(super) mod work_file;

use std::path::Path;

use super::method::Slices;
use super::table_job::TableJob;
use crate::material::CanonicalMaterial;
use crate::table::{TableError, TableWriter};

/// Solves an ending out of core and writes its sections. The solver's arrays are in files if
/// `in_files` is true, otherwise in memory.
///
/// # Errors
///
/// If the checkpoints cannot be read or written, the table cannot be written, or a win is too long
/// for one-byte cells.
pub fn write_sections(
    slices: Slices,
    in_files: bool,
    job: &mut TableJob<'_>,
    writer: &mut TableWriter,
) -> Result<(), TableError> {
    if job.material.is_bare() {
        bare::write_sections((slices, in_files), job, writer)
    } else {
        two_sided::write_sections((slices, in_files), job, writer)
    }
}

/// The size of the files in an ending's work directory, in bytes; 0 if there are none.
pub fn checkpoint_bytes(directory: &Path, material: CanonicalMaterial) -> u64 {
    work_file::work_bytes(&work_file::work_directory(directory, material))
}

/// Removes an ending's checkpoints, and its work directory if that is then empty.
///
/// # Errors
///
/// If a file cannot be removed. A missing directory is not an error.
pub fn remove_checkpoints(directory: &Path, material: CanonicalMaterial) -> Result<(), TableError> {
    work_file::remove_work(&work_file::work_directory(directory, material))
}
