//! Checkpoints: the steps of an out-of-core solve, stored on disk beside the tables.
//!
//! Each step of a solve is a file in the ending's work directory, for example `KNSMMvK.work/`. The
//! file contains the positions found in each part of the slice, packed and lightly compressed; an
//! index of the parts, each with a checksum; and a footer with the step's key and counts. The file
//! gets its final name only when it is complete. Incomplete files and files with another key are
//! removed when the solve is resumed.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};

use super::work_file::{
    BlobFile, BlobWriter, Ended, Key, PART_SUFFIX, compress, done_name, has_file, nameless_file,
    none_if_missing, part_of, read_footer, remove_files, step_name, write_footer,
};
use crate::material::CanonicalMaterial;
use crate::solve::{
    CheckpointFailed, Checkpoints, Counted, LaneLayout, LaneWords, Parts, SolveCounts, StepCounts,
    decode_part, parts,
};
use crate::table::{IoAction, TableError};

/// The results of a step, stored in the footer of its file.
#[derive(Debug, Serialize, Deserialize)]
struct Found {
    step: u16,
    wins: Counted,
    losses: Counted,
}

/// The position counts of a solved slice.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SliceCounts {
    /// The number of legal positions, with the winner to move and with the loser to move.
    pub legal: (u64, u64),
    /// The positions won, with the winner to move, counted by distance.
    pub wins: Vec<Counted>,
    /// The positions lost, with the loser to move, counted by distance.
    pub losses: Vec<Counted>,
}

impl From<SolveCounts> for SliceCounts {
    fn from(counts: SolveCounts) -> SliceCounts {
        SliceCounts {
            legal: (counts.winner_legal, counts.loser_legal),
            wins: counts.steps.iter().map(|step| step.wins).collect(),
            losses: counts.steps.iter().map(|step| step.losses).collect(),
        }
    }
}

/// The content of the file that marks a slice as solved.
#[derive(Debug, Serialize, Deserialize)]
struct Done {
    key: Key,
    #[serde(rename = "tally")]
    counts: SliceCounts,
}

/// The file and the counts of a finished step.
#[derive(Debug)]
struct Step {
    blobs: BlobFile,
    counts: StepCounts,
}

/// A thread that syncs and renames a step's file. It returns the file's final path and the result,
/// or None if it received no file.
type Closing = JoinHandle<Option<(PathBuf, io::Result<()>)>>;

/// The checkpoint files of one solve, in the ending's work directory.
#[derive(Debug)]
pub struct CheckpointFiles {
    directory: PathBuf,
    key: Key,
    parts: Parts,
    steps: Vec<Step>,
    done: Option<SliceCounts>,
    /// The number and the file of the step that is being written.
    writing: Mutex<Option<(u16, BlobWriter)>>,
    /// The thread that finishes the last step's file while the next step is solved.
    closing: Option<Closing>,
    /// The first error, until [`CheckpointFiles::take_error`] returns it.
    error: Mutex<Option<TableError>>,
    discarded: bool,
    arrays_in_files: bool,
}

impl CheckpointFiles {
    /// Opens the checkpoints of a solve, and removes those from which it cannot continue: see
    /// [`CheckpointFiles::discarded`]. `solve` is the solve's name, which is the prefix of its
    /// files' names.
    ///
    /// # Errors
    ///
    /// If the directory cannot be created, read or written.
    pub fn open(
        directory: &Path,
        material: CanonicalMaterial,
        solve: &str,
        lane_layout: &LaneLayout,
    ) -> Result<CheckpointFiles, TableError> {
        fs::create_dir_all(directory)
            .map_err(|error| TableError::io(directory, IoAction::Write, error))?;
        let mut opened = CheckpointFiles {
            directory: directory.to_path_buf(),
            key: Key::new(material, solve, lane_layout),
            parts: parts(lane_layout),
            steps: Vec::new(),
            done: None,
            writing: Mutex::new(None),
            closing: None,
            error: Mutex::new(None),
            discarded: false,
            arrays_in_files: false,
        };
        while let Some(step) = opened.open_step(opened.steps.len() as u16 + 1)? {
            opened.steps.push(step);
        }
        opened.done = opened.read_done()?;
        let kept: Vec<String> = (1..=opened.steps.len() as u16)
            .map(|step| step_name(solve, step))
            .chain(opened.done.is_some().then(|| done_name(solve)))
            .collect();
        let prefix = format!("{solve}.");
        let unwanted = |name: &str| name.starts_with(&prefix) && !kept.iter().any(|k| k == name);
        let whole_file = |name: &str| unwanted(name) && !name.ends_with(PART_SUFFIX);
        opened.discarded = has_file(directory, &whole_file)
            .map_err(|error| TableError::io(directory, IoAction::Read, error))?;
        remove_files(directory, &unwanted)?;
        Ok(opened)
    }

    /// Makes the solver keep its arrays in unnamed files in the directory instead of in memory.
    pub fn keep_arrays_in_files(&mut self) {
        self.arrays_in_files = true;
    }

    /// True if [`CheckpointFiles::open`] removed finished steps of an earlier run that were
    /// unusable: corrupt, from another version, or after a gap.
    pub fn discarded(&self) -> bool {
        self.discarded
    }

    /// The counts of the solved slice. None if the solve is not finished.
    pub fn done(&self) -> Option<&SliceCounts> {
        self.done.as_ref()
    }

    /// The number of finished steps.
    pub fn steps(&self) -> u16 {
        self.steps.len() as u16
    }

    /// The number of the last step that found wins, including those just after a capture by the
    /// lane's king; 0 if no step found wins.
    pub fn last_win(&self) -> u16 {
        self.last_with(0)
    }

    /// The number of the last step that found losses; 0 if no step did. Losses must be stored.
    pub fn last_loss(&self) -> u16 {
        self.last_with(self.parts.all)
    }

    /// The number of the last step that found positions in the parts from `first_part` on: 0 for
    /// the wins, `self.parts.all` for the losses.
    fn last_with(&self, first_part: usize) -> u16 {
        let parts = first_part..first_part + self.parts.all;
        let found = |step: &Step| parts.clone().any(|part| step.blobs.has(part));
        self.steps
            .iter()
            .rposition(found)
            .map_or(0, |i| i as u16 + 1)
    }

    /// The division of the slice into parts.
    pub fn parts(&self) -> Parts {
        self.parts
    }

    /// Writes the file that marks the slice as solved and contains its counts.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish_slice(&mut self, counts: SliceCounts) -> Result<(), TableError> {
        self.join()?;
        let done = Done {
            key: self.key.clone(),
            counts: counts.clone(),
        };
        let path = self.directory.join(done_name(&self.key.solve));
        let part = part_of(&path);
        let write = || -> io::Result<()> {
            let mut file = File::create(&part)?;
            write_footer(&mut file, &done)?;
            file.sync_all()?;
            fs::rename(&part, &path)
        };
        write().map_err(|error| TableError::io(&path, IoAction::Write, error))?;
        self.done = Some(counts);
        Ok(())
    }

    /// Removes and returns the error that stopped the solve.
    pub fn take_error(&self) -> TableError {
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        error.take().unwrap_or_else(|| {
            let other = io::Error::other("a checkpoint could not be saved");
            TableError::io(&self.directory, IoAction::Write, other)
        })
    }

    /// Reads one part of a step into `packed`.
    ///
    /// # Errors
    ///
    /// If the part cannot be read or is corrupt. A corrupt file is removed, so that the next run
    /// solves the step again.
    pub fn read_part(
        &self,
        step: u16,
        part: usize,
        packed: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        self.steps[usize::from(step) - 1].blobs.read(part, packed)
    }

    /// Collects the distances of the positions that a range of steps found in one part. The first
    /// of these steps gives distance 1. `words` must be zeroed; it has `width` words for each lane,
    /// one for each bit of the distances. Returns true if the steps found any position.
    ///
    /// # Errors
    ///
    /// As for [`CheckpointFiles::read_part`].
    pub fn read_numbers(
        &self,
        part: usize,
        steps: Range<u16>,
        width: usize,
        packed: &mut Vec<u8>,
        words: &mut [u64],
    ) -> Result<bool, TableError> {
        let mut any = false;
        for (number, step) in (1u16..).zip(steps) {
            self.read_part(step, part, packed)?;
            any |= !packed.is_empty();
            let unpacked = decode_part(packed, self.parts, |lane, found| {
                for (j, word) in words[lane * width..][..width].iter_mut().enumerate() {
                    *word |= found & u64::from(number >> j & 1).wrapping_neg();
                }
            });
            if unpacked.is_none() {
                return Err(self.damaged(step));
            }
        }
        Ok(any)
    }

    /// Removes the file of a corrupt step, so that the next run solves the step again. Returns the
    /// error to report.
    fn damaged(&self, step: u16) -> TableError {
        self.steps[usize::from(step) - 1].blobs.damaged()
    }

    /// Reads the counts of the solved slice. None if the solve is not finished, or its steps do not
    /// match.
    fn read_done(&self) -> Result<Option<SliceCounts>, TableError> {
        let path = self.directory.join(done_name(&self.key.solve));
        let read = || -> io::Result<Option<SliceCounts>> {
            let mut file = File::open(&path)?;
            let Some((done, 0)) = read_footer::<Done>(&mut file)? else {
                return Ok(None);
            };
            let steps = done.counts.wins.len().checked_sub(1);
            let fits = done.key == self.key && steps == Some(self.steps.len());
            Ok(fits.then_some(done.counts))
        };
        none_if_missing(read()).map_err(|error| TableError::io(&path, IoAction::Read, error))
    }

    /// Opens a step's file. None if it is missing, incomplete or from another solve.
    fn open_step(&self, step: u16) -> Result<Option<Step>, TableError> {
        let path = self.directory.join(step_name(&self.key.solve, step));
        let opened = BlobFile::open::<Found>(&path, &self.key, self.parts.kept())?;
        let opened = opened.filter(|(_, found)| found.step == step);
        Ok(opened.map(|(blobs, Found { wins, losses, .. })| Step {
            blobs,
            counts: StepCounts { wins, losses },
        }))
    }

    /// Waits until the file of the last step is on disk.
    ///
    /// # Errors
    ///
    /// If the file could not be written.
    pub fn join(&mut self) -> Result<(), TableError> {
        let Some(closing) = self.closing.take() else {
            return Ok(());
        };
        let (path, result) = closing.join().ok().flatten().unwrap_or_else(|| {
            (
                self.directory.clone(),
                Err(io::Error::other("a thread failed")),
            )
        });
        self.add_closed(path, result)
    }

    /// Adds the step whose file has got its final path, if `result` is not an error.
    fn add_closed(&mut self, path: PathBuf, result: io::Result<()>) -> Result<(), TableError> {
        result.map_err(|error| {
            let _ = fs::remove_file(part_of(&path));
            TableError::io(&path, IoAction::Write, error)
        })?;
        let step = self.steps.len() as u16 + 1;
        match self.open_step(step)? {
            Some(step) => self.steps.push(step),
            None => {
                let other = io::Error::other("read-back mismatch");
                return Err(TableError::io(&path, IoAction::Write, other));
            }
        }
        Ok(())
    }

    /// Stores an error for [`CheckpointFiles::take_error`].
    fn store_error<T>(&self, result: Result<T, TableError>) -> Result<T, CheckpointFailed> {
        result.map_err(|error| {
            let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
            kept.get_or_insert(error);
            CheckpointFailed
        })
    }

    /// Creates a step's file.
    fn start(&self, step: u16) -> Result<(), TableError> {
        let path = self.directory.join(step_name(&self.key.solve, step));
        let writer = BlobWriter::create(path.clone(), self.parts.kept())
            .map_err(|error| TableError::io(&path, IoAction::Write, error))?;
        *self.lock_writing() = Some((step, writer));
        Ok(())
    }

    fn lock_writing(&self) -> std::sync::MutexGuard<'_, Option<(u16, BlobWriter)>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the index and the footer of a step's file. A thread then syncs and renames the file
    /// while the next step is solved.
    fn close_step(&mut self, counts: StepCounts) -> Result<(), TableError> {
        self.join()?;
        let Some((step, writing)) = self.lock_writing().take() else {
            return Ok(());
        };
        let path = writing.path().to_path_buf();
        let found = Found {
            step,
            wins: counts.wins,
            losses: counts.losses,
        };
        let ended = writing
            .end(&self.key, found)
            .map_err(|error| TableError::io(&path, IoAction::Write, error))?;
        let (hand_over, handed_over) = mpsc::channel::<(PathBuf, Ended)>();
        let closing = std::thread::Builder::new().spawn(move || {
            let (path, ended) = handed_over.recv().ok()?;
            Some((path, ended.name()))
        });
        match closing {
            Ok(closing) => {
                self.closing = Some(closing);
                let _ = hand_over.send((path, ended));
            }
            // Without another thread, the next step waits for the disk.
            Err(_) => self.add_closed(path, ended.name())?,
        }
        Ok(())
    }
}

impl Drop for CheckpointFiles {
    /// Waits for the thread that finishes the last step, so that no file is being written
    /// afterwards.
    fn drop(&mut self) {
        if let Some(closing) = self.closing.take() {
            let _ = closing.join();
        }
    }
}

impl Checkpoints for CheckpointFiles {
    fn lanes(&self, lanes: usize) -> Result<LaneWords, CheckpointFailed> {
        if !self.arrays_in_files || lanes == 0 {
            return Ok(LaneWords::zeroed(lanes));
        }
        let lanes = nameless_file(&self.directory, lanes as u64 * size_of::<u64>() as u64)
            .and_then(|file| LaneWords::in_file(&file, lanes));
        let lanes = lanes.map_err(|error| TableError::io(&self.directory, IoAction::Write, error));
        self.store_error(lanes)
    }

    fn finished(&self) -> Vec<StepCounts> {
        self.steps.iter().map(|step| step.counts).collect()
    }

    fn read(&self, step: u16, part: usize, packed: &mut Vec<u8>) -> Result<(), CheckpointFailed> {
        self.store_error(self.read_part(step, part, packed))
    }

    fn begin(&mut self, step: u16) -> Result<(), CheckpointFailed> {
        self.store_error(self.start(step))
    }

    fn write(&self, part: usize, packed: &[u8]) {
        if packed.is_empty() {
            return;
        }
        let compressed = compress(packed);
        if let Some((_, writing)) = self.lock_writing().as_mut() {
            writing.put(part, compressed);
        }
    }

    fn finish(&mut self, counts: StepCounts) -> Result<(), CheckpointFailed> {
        let closed = self.close_step(counts);
        self.store_error(closed)
    }
}
