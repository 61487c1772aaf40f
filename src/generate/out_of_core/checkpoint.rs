//! Checkpoints: the steps of an out-of-core solve on disk, next to the tables.
//!
//! Each step of each slice is a file of its own in the ending's work directory, `KNSMMvK.work/`:
//! what the parts of the slice have won, packed and lightly compressed; then an index of the parts,
//! each under a checksum; then a footer that says what the step is of and what it found. A step has
//! its name only when it is whole. What is not whole, or was written for something else, is not
//! taken for anything.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use crc32c::crc32c;
use serde::{Deserialize, Serialize};
use zstd::bulk::{Compressor, Decompressor};

use crate::material::CanonicalMaterial;
use crate::solve::{CheckpointFailed, Checkpoints, Counted, LaneLayout, Parts, StepCounts, parts};
use crate::table::{IoAction, TableError, rules_revision};

/// The version of the files of a work directory.
const VERSION: u32 = 1;

/// The last bytes of a step's file.
const MAGIC: [u8; 8] = *b"\x89SKMSTEP";

/// The most bytes of a footer.
const MAX_FOOTER: u64 = 1 << 16;

/// The ending of the names of steps being written.
const PART_SUFFIX: &str = ".part";

/// How hard the steps are compressed: they are read twice at most.
const LEVEL: i32 = 1;

/// Removes what this program has put into a work directory, and the directory if that was all.
///
/// # Errors
///
/// If a file cannot be removed. A directory that is not there is no error.
pub fn remove_work(directory: &Path) -> Result<(), TableError> {
    remove_files(directory, &|_| true)?;
    match fs::remove_dir(directory) {
        // Something in it is not ours.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(|error| TableError::io(directory, IoAction::Write, error)),
    }
}

/// Removes the files with names of ours that are `unwanted`.
fn remove_files(directory: &Path, unwanted: &dyn Fn(&str) -> bool) -> Result<(), TableError> {
    let remove = || -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name();
            if let Some(name) = name.to_str()
                && is_ours(name)
                && unwanted(name)
            {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    };
    match remove() {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TableError::io(directory, IoAction::Write, error))
        }
        _ => Ok(()),
    }
}

/// The name of a step: `slice-2.step-017`.
fn step_name(slice: usize, step: u16) -> String {
    format!("slice-{slice}.step-{step:03}")
}

/// The name of what says that a slice is solved.
fn done_name(slice: usize) -> String {
    format!("slice-{slice}.done")
}

fn is_ours(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let name = name.strip_suffix(PART_SUFFIX).unwrap_or(name);
    let Some((slice, what)) = name
        .strip_prefix("slice-")
        .and_then(|rest| rest.split_once('.'))
    else {
        return false;
    };
    digits(slice) && (what == "done" || what.strip_prefix("step-").is_some_and(digits))
}

/// What a work directory's file is of. Another version, ending, slice or order of lanes is another
/// key, and the file is then of no use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    version: u32,
    rules_revision: u32,
    material: String,
    slice: usize,
    /// A checksum of all that the numbers of the lanes follow from.
    #[serde(rename = "frame")]
    lane_layout: String,
}

impl Key {
    fn new(material: CanonicalMaterial, slice: usize, lane_layout: &LaneLayout) -> Key {
        let order = format!(
            "{:?} {:?} {:?}",
            lane_layout.winner(),
            lane_layout.domain(),
            lane_layout.groups()
        );
        Key {
            version: VERSION,
            rules_revision: rules_revision(material),
            material: material.to_string(),
            slice,
            lane_layout: blake3::hash(order.as_bytes()).to_hex().to_string(),
        }
    }
}

/// What a step is of, and what it found.
#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    key: Key,
    step: u16,
    wins: Counted,
    losses: Counted,
    /// Where the index starts, its entries and its checksum.
    index: (u64, usize, u32),
}

/// What the whole solve of a slice found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SliceCounts {
    /// Legal positions with the winner to move and with the loser.
    pub legal: (u64, u64),
    /// By distance, positions won with the winner to move.
    pub wins: Vec<Counted>,
    /// By distance, positions lost with the loser to move.
    pub losses: Vec<Counted>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Done {
    key: Key,
    #[serde(rename = "tally")]
    counts: SliceCounts,
}

/// Where the bytes of a part lie in its step's file.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    place: u64,
    bytes: u32,
    crc: u32,
}

const ENTRY_BYTES: usize = 16;

/// A finished step.
#[derive(Debug)]
struct Step {
    number: u16,
    path: PathBuf,
    file: File,
    index: Vec<Entry>,
    counts: StepCounts,
}

/// A step being written.
#[derive(Debug)]
struct Writing {
    path: PathBuf,
    step: u16,
    out: BufWriter<File>,
    place: u64,
    index: Vec<Entry>,
    error: Option<io::Error>,
}

/// What became of a step that was written.
type Closing = JoinHandle<(PathBuf, io::Result<()>)>;

/// The steps of one slice of an ending, in its work directory.
#[derive(Debug)]
pub struct CheckpointFiles {
    directory: PathBuf,
    key: Key,
    parts: Parts,
    part_count: usize,
    steps: Vec<Step>,
    done: Option<SliceCounts>,
    writing: Mutex<Option<Writing>>,
    /// The last step, on its way to the disk while the next is solved.
    closing: Option<Closing>,
    error: Mutex<Option<TableError>>,
    discarded: bool,
}

impl CheckpointFiles {
    /// Opens the log of a slice, with the steps that are there and whole. What cannot go on from
    /// there is removed: see [`CheckpointFiles::discarded`].
    ///
    /// # Errors
    ///
    /// If the directory cannot be made, read or written.
    pub fn open(
        directory: &Path,
        material: CanonicalMaterial,
        slice: usize,
        lane_layout: &LaneLayout,
    ) -> Result<CheckpointFiles, TableError> {
        fs::create_dir_all(directory)
            .map_err(|error| TableError::io(directory, IoAction::Write, error))?;
        let cut = parts(lane_layout);
        let mut log = CheckpointFiles {
            directory: directory.to_path_buf(),
            key: Key::new(material, slice, lane_layout),
            parts: cut,
            part_count: cut.per_slab * lane_layout.domain().len(),
            steps: Vec::new(),
            done: None,
            writing: Mutex::new(None),
            closing: None,
            error: Mutex::new(None),
            discarded: false,
        };
        loop {
            let step = log.steps.len() as u16 + 1;
            let Some(found) = log.open_step(step)? else {
                break;
            };
            log.steps.push(found);
        }
        log.done = log.read_done()?;
        let kept: Vec<String> = (1..=log.steps.len() as u16)
            .map(|step| step_name(slice, step))
            .chain(log.done.is_some().then(|| done_name(slice)))
            .collect();
        let prefix = format!("slice-{slice}.");
        let unwanted = |name: &str| name.starts_with(&prefix) && !kept.iter().any(|k| k == name);
        let whole_file = |name: &str| unwanted(name) && !name.ends_with(PART_SUFFIX);
        log.discarded = has_file(directory, &whole_file)
            .map_err(|error| TableError::io(directory, IoAction::Read, error))?;
        remove_files(directory, &unwanted)?;
        Ok(log)
    }

    /// Whether there were steps that could not be used: damaged, or of another version.
    pub fn discarded(&self) -> bool {
        self.discarded
    }

    /// What the solve found, if it is finished.
    pub fn done(&self) -> Option<&SliceCounts> {
        self.done.as_ref()
    }

    /// How many steps there are.
    pub fn steps(&self) -> u16 {
        self.steps.len() as u16
    }

    /// The last step that won anything, captures by the lane's king among it.
    pub fn last_win(&self) -> u16 {
        let won = |step: &Step| step.index.iter().any(|entry| entry.bytes > 0);
        self.steps.iter().rposition(won).map_or(0, |i| i as u16 + 1)
    }

    /// How the slice is divided.
    pub fn parts(&self) -> Parts {
        self.parts
    }

    /// The bytes on disk.
    pub fn bytes(&self) -> u64 {
        let size = |step: &Step| step.file.metadata().map_or(0, |data| data.len());
        self.steps.iter().map(size).sum()
    }

    /// Writes down that the slice is solved.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish_slice(&mut self, counts: SliceCounts) -> Result<(), TableError> {
        self.join()?;
        let done = Done {
            key: self.key.clone(),
            counts: counts.clone(),
        };
        let path = self.directory.join(done_name(self.key.slice));
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

    /// Why the journal stopped the solve.
    pub fn take_error(&self) -> TableError {
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        error.take().unwrap_or_else(|| {
            let other = io::Error::other("its steps could not be kept");
            TableError::io(&self.directory, IoAction::Write, other)
        })
    }

    /// Reads a part of a step.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is damaged. The step's file is then removed, so that the next run
    /// solves it again.
    pub fn read_part(
        &self,
        step: u16,
        part: usize,
        packed: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let step = &self.steps[usize::from(step) - 1];
        let mut read = || -> io::Result<bool> {
            packed.clear();
            let entry = step.index[part];
            if entry.bytes == 0 {
                return Ok(true);
            }
            let mut bytes = vec![0; entry.bytes as usize];
            read_at(&step.file, &mut bytes, entry.place)?;
            Ok(crc32c(&bytes) == entry.crc && decompress(&bytes, packed))
        };
        match read() {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.damaged(step.number)),
            Err(error) => Err(TableError::io(&step.path, IoAction::Read, error)),
        }
    }

    /// A step is not what was written: it is taken away, so that the next run solves it again.
    pub fn damaged(&self, step: u16) -> TableError {
        let path = &self.steps[usize::from(step) - 1].path;
        let _ = fs::remove_file(path);
        let damaged = io::Error::new(
            io::ErrorKind::InvalidData,
            "it was damaged, and is taken away: the same command solves it again",
        );
        TableError::io(path, IoAction::Read, damaged)
    }

    fn read_done(&self) -> Result<Option<SliceCounts>, TableError> {
        let path = self.directory.join(done_name(self.key.slice));
        let read = || -> io::Result<Option<SliceCounts>> {
            let mut file = File::open(&path)?;
            let Some((done, 0)) = read_footer::<Done>(&mut file)? else {
                return Ok(None);
            };
            let steps = done.counts.wins.len().checked_sub(1);
            let fits = done.key == self.key && steps == Some(self.steps.len());
            Ok(fits.then_some(done.counts))
        };
        or_not_there(read()).map_err(|error| TableError::io(&path, IoAction::Read, error))
    }

    /// The step's file, if it is there and is this log's.
    fn open_step(&self, step: u16) -> Result<Option<Step>, TableError> {
        let path = self.directory.join(step_name(self.key.slice, step));
        let read = || -> io::Result<Option<Step>> {
            let mut file = File::open(&path)?;
            let Some((footer, footer_at)) = read_footer::<Footer>(&mut file)? else {
                return Ok(None);
            };
            let (place, entries, crc) = footer.index;
            let length = entries.checked_mul(ENTRY_BYTES).map(|n| n as u64);
            let fits = footer.key == self.key
                && footer.step == step
                && entries == self.part_count
                && length.and_then(|n| place.checked_add(n)) == Some(footer_at);
            if !fits {
                return Ok(None);
            }
            let mut bytes = vec![0; entries * ENTRY_BYTES];
            file.seek(SeekFrom::Start(place))?;
            file.read_exact(&mut bytes)?;
            if crc32c(&bytes) != crc {
                return Ok(None);
            }
            let index = bytes.chunks_exact(ENTRY_BYTES).map(|entry| {
                let number = |from: usize, to: usize| {
                    let bytes = entry[from..to].iter().rev();
                    bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
                };
                Entry {
                    place: number(0, 8),
                    bytes: number(8, 12) as u32,
                    crc: number(12, 16) as u32,
                }
            });
            Ok(Some(Step {
                number: step,
                index: index.collect(),
                path: path.clone(),
                file,
                counts: StepCounts {
                    wins: footer.wins,
                    losses: footer.losses,
                },
            }))
        };
        or_not_there(read()).map_err(|error| TableError::io(&path, IoAction::Read, error))
    }

    /// Waits until the step before is on the disk.
    fn join(&mut self) -> Result<(), TableError> {
        let Some(closing) = self.closing.take() else {
            return Ok(());
        };
        let (path, result) = closing.join().unwrap_or_else(|_| {
            (
                self.directory.clone(),
                Err(io::Error::other("a thread failed")),
            )
        });
        result.map_err(|error| {
            let _ = fs::remove_file(part_of(&path));
            TableError::io(&path, IoAction::Write, error)
        })?;
        let step = self.steps.len() as u16 + 1;
        match self.open_step(step)? {
            Some(step) => self.steps.push(step),
            None => {
                let other = io::Error::other("what was written is not what is there");
                return Err(TableError::io(&path, IoAction::Write, other));
            }
        }
        Ok(())
    }

    fn keep<T>(&self, result: Result<T, TableError>) -> Result<T, CheckpointFailed> {
        result.map_err(|error| {
            let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
            kept.get_or_insert(error);
            CheckpointFailed
        })
    }

    fn start(&self, step: u16) -> Result<(), TableError> {
        let path = self.directory.join(step_name(self.key.slice, step));
        let file = File::create(part_of(&path))
            .map_err(|error| TableError::io(&path, IoAction::Write, error))?;
        *self.at_work() = Some(Writing {
            path,
            step,
            out: BufWriter::with_capacity(1 << 20, file),
            place: 0,
            index: vec![Entry::default(); self.part_count],
            error: None,
        });
        Ok(())
    }

    fn at_work(&self) -> std::sync::MutexGuard<'_, Option<Writing>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts index and footer behind the parts, and has the step synced and named while the next is
    /// solved.
    fn close_step(&mut self, counts: StepCounts) -> Result<(), TableError> {
        self.join()?;
        let Some(mut writing) = self.at_work().take() else {
            return Ok(());
        };
        let path = writing.path.clone();
        let mut end = || -> io::Result<()> {
            if let Some(error) = writing.error.take() {
                return Err(error);
            }
            let mut bytes = Vec::with_capacity(writing.index.len() * ENTRY_BYTES);
            for entry in &writing.index {
                bytes.extend(entry.place.to_le_bytes());
                bytes.extend(entry.bytes.to_le_bytes());
                bytes.extend(entry.crc.to_le_bytes());
            }
            writing.out.write_all(&bytes)?;
            let footer = Footer {
                key: self.key.clone(),
                step: writing.step,
                wins: counts.wins,
                losses: counts.losses,
                index: (writing.place, writing.index.len(), crc32c(&bytes)),
            };
            write_footer(&mut writing.out, &footer)?;
            writing.out.flush()
        };
        if let Err(error) = end() {
            let _ = fs::remove_file(part_of(&path));
            return Err(TableError::io(&path, IoAction::Write, error));
        }
        let out = writing.out;
        self.closing = Some(std::thread::spawn(move || {
            let close = || -> io::Result<()> {
                out.get_ref().sync_data()?;
                fs::rename(part_of(&path), &path)
            };
            let result = close();
            (path, result)
        }));
        Ok(())
    }
}

impl Drop for CheckpointFiles {
    /// Nothing of a log is written once it is gone.
    fn drop(&mut self) {
        if let Some(closing) = self.closing.take() {
            let _ = closing.join();
        }
    }
}

impl Checkpoints for CheckpointFiles {
    fn finished(&self) -> Vec<StepCounts> {
        self.steps.iter().map(|step| step.counts).collect()
    }

    fn read(&self, step: u16, part: usize, packed: &mut Vec<u8>) -> Result<(), CheckpointFailed> {
        self.keep(self.read_part(step, part, packed))
    }

    fn begin(&mut self, step: u16) -> Result<(), CheckpointFailed> {
        self.keep(self.start(step))
    }

    fn write(&self, part: usize, packed: &[u8]) {
        if packed.is_empty() {
            return;
        }
        let compressed = compress(packed);
        let mut at_work = self.at_work();
        let Some(writing) = at_work.as_mut().filter(|w| w.error.is_none()) else {
            return;
        };
        let written = compressed.and_then(|bytes| {
            writing.out.write_all(&bytes)?;
            writing.index[part] = Entry {
                place: writing.place,
                bytes: bytes.len() as u32,
                crc: crc32c(&bytes),
            };
            writing.place += bytes.len() as u64;
            Ok(())
        });
        writing.error = written.err();
    }

    fn finish(&mut self, counts: StepCounts) -> Result<(), CheckpointFailed> {
        let closed = self.close_step(counts);
        self.keep(closed)
    }
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PART_SUFFIX);
    PathBuf::from(name)
}

fn has_file(directory: &Path, wanted: &dyn Fn(&str) -> bool) -> io::Result<bool> {
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if name
            .to_str()
            .is_some_and(|name| is_ours(name) && wanted(name))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Nothing where there is no file, or one cut short.
fn or_not_there<T>(result: io::Result<Option<T>>) -> io::Result<Option<T>> {
    match result {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof
            ) =>
        {
            Ok(None)
        }
        result => result,
    }
}

/// Writes a footer: the text, its length, its checksum, the magic bytes.
fn write_footer(out: &mut impl Write, footer: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(footer)?;
    out.write_all(&text)?;
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(&crc32c(&text).to_le_bytes())?;
    out.write_all(&MAGIC)
}

/// Reads the footer at the end of a file, and where it starts. Nothing if there is none.
fn read_footer<T: for<'a> Deserialize<'a>>(file: &mut File) -> io::Result<Option<(T, u64)>> {
    let length = file.metadata()?.len();
    let mut end = [0; 16];
    let Some(end_at) = length.checked_sub(16) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(end_at))?;
    file.read_exact(&mut end)?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    let (size, crc) = (number(&end[..4]), number(&end[4..8]));
    if end[8..] != MAGIC || size > MAX_FOOTER.min(end_at) {
        return Ok(None);
    }
    let start = end_at - size;
    let mut text = vec![0; size as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut text)?;
    if u64::from(crc32c(&text)) != crc {
        return Ok(None);
    }
    Ok(serde_json::from_slice(&text)
        .ok()
        .map(|footer| (footer, start)))
}

/// A part's bytes, with the length that they decode_rows to before them.
fn compress(packed: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            None => slot.insert(Compressor::new(LEVEL)?),
        };
        let mut bytes = (packed.len() as u32).to_le_bytes().to_vec();
        bytes.reserve(zstd::zstd_safe::compress_bound(packed.len()));
        bytes.extend(compressor.compress(packed)?);
        Ok(bytes)
    })
}

/// Undoes [`compress`] into the room given. False if the bytes are none that it gave.
fn decompress(bytes: &[u8], packed: &mut Vec<u8>) -> bool {
    thread_local! {
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    let Some((length, bytes)) = bytes.split_first_chunk() else {
        return false;
    };
    let length = u32::from_le_bytes(*length) as usize;
    DECOMPRESSOR.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Decompressor::new().ok();
        }
        packed.resize(length, 0);
        slot.as_mut().is_some_and(|decompressor| {
            matches!(decompressor.decompress_to_buffer(bytes, packed.as_mut_slice()), Ok(n) if n == length)
        })
    })
}

/// Reads bytes from a place of a file that other threads read as well.
fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
    }
    #[cfg(windows)]
    {
        let mut done = 0;
        while done < bytes.len() {
            let place = place + done as u64;
            match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], place)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => done += n,
            }
        }
        Ok(())
    }
}
