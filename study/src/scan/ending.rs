//! The results of all positions of an ending with White to move, in memory, lane by lane.

use rayon::prelude::*;

use super::placing::{LaneResults, Placing};
use sakmak::board::{Color, Square, SquareSet};
use sakmak::index::{self, Bia, Component, Group, Layout, Transform};
use sakmak::internals::ForkedByOneFunction;
use sakmak::material::CanonicalMaterial;
use sakmak::statistics::Example;
use sakmak::table::{Code, DecodedCells, FileBytes, Metric, Section, TableError, TableFile};

/// Numbers the placings of an ending (all men but Black's king) in the order of its table.
#[derive(Debug)]
pub struct FileNumbering {
    layout: Layout,
    squares: Vec<Vec<SquareSet>>,
    /// The stride of Black's king: the difference between the indices of two cells with this king
    /// on consecutive squares, such as a1 and b1.
    king_stride: u64,
}

impl FileNumbering {
    fn new(layout: Layout) -> FileNumbering {
        let groups = layout.groups().len();
        FileNumbering {
            squares: (0..groups).map(|g| layout.placements(g).table()).collect(),
            king_stride: layout.stride(Component::Lane),
            layout,
        }
    }

    /// The ending's groups of like men.
    pub fn groups(&self) -> &[Group] {
        self.layout.groups()
    }

    /// The number of placings.
    pub fn len(&self) -> usize {
        (self.layout.cells() / 64) as usize
    }

    /// The index of the cell for a placing with Black's king on a1.
    fn cell(&self, number: usize) -> u64 {
        let number = number as u64;
        number / self.king_stride * self.king_stride * 64 + number % self.king_stride
    }

    /// The placing with this index. None if two of its men share a square.
    pub fn placed(&self, number: usize) -> Option<Placing> {
        let cell = self.cell(number);
        let digit = self.layout.digit(cell, Component::Anchor);
        let mut placed = Placing::new(self.layout.domain()[digit]);
        for (group, squares) in self.squares.iter().enumerate() {
            placed.men[group] = squares[self.layout.digit(cell, Component::Group(group))];
        }
        placed.apart().map(|_| placed)
    }

    /// Finds a placing with White's king anywhere on the board. Returns the index of its image in
    /// the table, and the transform to apply to Black's king.
    pub fn number(&self, placed: &Placing) -> (usize, Transform) {
        let (transform, cell) = self
            .layout
            .lane_base(Bia::NONE, placed.king, |g| placed.men[g]);
        let number = cell / (self.king_stride * 64) * self.king_stride + cell % self.king_stride;
        (number as usize, transform)
    }

    /// The number of positions on the whole board that a position with this placing represents: all
    /// its images under symmetry.
    pub fn weight(&self, placed: &Placing) -> u64 {
        self.layout.symmetry().weight(Bia::NONE, placed.king)
    }
}

/// The section with a metric, and the layout of its cells.
///
/// # Errors
///
/// If the table does not have the section, or if its header is corrupt.
pub fn section(
    table: &TableFile,
    metric: Metric,
) -> Result<(Section<'_, FileBytes>, Layout), TableError> {
    let section = table
        .section(metric)
        .ok_or_else(|| table.damaged("it has no section for a metric that its material needs"))?;
    let info = &section.header().info;
    if info.side != Color::White {
        return Err(table.damaged("its positions do not have White to move"));
    }
    let layout = Layout::from_bytes(table.material(), info.symmetry, &info.order)
        .ok()
        .filter(|layout| layout.cells() == section.header().cells)
        .ok_or_else(|| table.damaged("its order of men does not fit its material"))?;
    Ok((section, layout))
}

/// A section of a table, decoded into memory.
#[derive(Debug)]
pub struct DecodedSection {
    numbering: FileNumbering,
    cells: DecodedCells,
    codes: Vec<Code>,
}

/// The number of yes-or-no questions that [`DecodedSection::ask`] answers at once.
pub const QUESTIONS: usize = 2;

impl DecodedSection {
    /// Decodes a section of a table.
    ///
    /// # Errors
    ///
    /// If the table does not have a section with this metric, or if it is corrupt.
    pub fn read(table: &TableFile, metric: Metric) -> Result<DecodedSection, TableError> {
        let (section, layout) = section(table, metric)?;
        Ok(DecodedSection {
            numbering: FileNumbering::new(layout),
            cells: section.decode_all(&|_| {})?,
            codes: section.header().info.codes.clone(),
        })
    }

    /// The layout of the section's cells.
    pub fn layout(&self) -> &Layout {
        &self.numbering.layout
    }

    /// The index of a cell's code among the section's codes, or beyond them in a corrupt table.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    #[inline]
    pub fn code_index(&self, cell: u64) -> usize {
        match &self.cells {
            DecodedCells::Bytes(cells) => cells[cell as usize].into(),
            DecodedCells::Words(cells) => cells[cell as usize].into(),
        }
    }

    /// A value for each code that the cells can contain: [`DecodedSection::code_index`] is its
    /// index.
    pub fn by_code<T>(&self, value: impl Fn(Code) -> T) -> Vec<T> {
        self.codes.iter().map(|&code| value(code)).collect()
    }

    /// The numbering of the section's placings.
    pub fn numbering(&self) -> &FileNumbering {
        &self.numbering
    }

    /// Prepares the answers to yes-or-no questions about the section's cells. Asks each question
    /// once for every code that the section can contain.
    pub fn ask(&self, questions: [&dyn Fn(Code) -> bool; QUESTIONS]) -> Answers<'_> {
        let answer = |&code: &Code| {
            let bits = questions.iter().enumerate();
            bits.fold(0, |all, (i, question)| all | u8::from(question(code)) << i)
        };
        Answers {
            decoded: self,
            answers: self.codes.iter().map(answer).collect(),
        }
    }
}

/// The answers to yes-or-no questions about every position of a section.
pub struct Answers<'a> {
    decoded: &'a DecodedSection,
    /// For each code, a byte in which bit `i` is set if the answer to question `i` is yes.
    answers: Vec<u8>,
}

impl Answers<'_> {
    /// For each question, the squares of Black's king for which the answer is yes. `number` is the
    /// index of the placing. Undefined for squares on which the position is illegal.
    pub fn lane(&self, number: usize) -> [SquareSet; QUESTIONS] {
        let first = self.decoded.numbering.cell(number) as usize;
        let step = self.decoded.numbering.king_stride as usize;
        match &self.decoded.cells {
            DecodedCells::Bytes(cells) => lane(cells, first, step, &self.answers),
            DecodedCells::Words(cells) => lane(cells, first, step, &self.answers),
        }
    }
}

fn lane<T: Copy + Into<usize>>(
    cells: &[T],
    first: usize,
    step: usize,
    answers: &[u8],
) -> [SquareSet; QUESTIONS] {
    let mut words = [0; QUESTIONS];
    let lane = cells[first..].iter().step_by(step).take(64);
    for (square, &cell) in lane.enumerate() {
        let answer = u64::from(answers[cell.into()]);
        for (question, word) in words.iter_mut().enumerate() {
            *word |= (answer >> question & 1) << square;
        }
    }
    words.map(SquareSet)
}

/// The results of all positions of an ending with White to move.
#[derive(Debug)]
pub struct EndingInMemory {
    /// The numbering of the ending's placings.
    pub numbering: FileNumbering,
    /// The results of the lane of each placing, in the order of the placings' indices.
    pub lanes: Vec<LaneResults>,
}

impl EndingInMemory {
    /// Computes the results. White's wins in more than `limit` moves count as draws.
    pub fn new(decoded: &DecodedSection, limit: Option<u16>) -> EndingInMemory {
        let limit = limit.unwrap_or(u16::MAX);
        let mut lanes = vec![LaneResults::default(); decoded.numbering.len()];
        let answers = decoded.ask([
            &|code| matches!(code, Code::WhiteWins(moves) if moves <= limit),
            &|code| matches!(code, Code::BlackWins(_)),
        ]);
        let groups = decoded.numbering.groups();
        lanes
            .par_iter_mut()
            .enumerate()
            .erased()
            .for_each(|(number, words)| {
                let Some(placed) = decoded.numbering.placed(number) else {
                    return;
                };
                let legal = placed.legal(groups, Color::White);
                let [white, black] = answers.lane(number);
                *words = LaneResults {
                    white: white & legal,
                    black: black & legal,
                    drawn: legal & !white & !black,
                };
            });
        EndingInMemory {
            numbering: FileNumbering::new(decoded.numbering.layout.clone()),
            lanes,
        }
    }

    /// Reads the results from the table of an ending.
    ///
    /// # Errors
    ///
    /// As for [`DecodedSection::read`].
    pub fn read(table: &TableFile, limit: Option<u16>) -> Result<EndingInMemory, TableError> {
        Ok(EndingInMemory::new(
            &DecodedSection::read(table, Metric::Dtm)?,
            limit,
        ))
    }

    /// The results of the lane of a placing. White's king may stand anywhere on the board.
    pub fn lane(&self, placed: &Placing) -> LaneResults {
        let (number, transform) = self.numbering.number(placed);
        let back = transform.inverse();
        self.lanes[number].map(|set| back.set(set))
    }

    /// The ending's groups of like men.
    pub fn groups(&self) -> &[Group] {
        self.numbering.groups()
    }
}

/// The position with the men of a placing and Black's king on a square.
pub fn example(material: CanonicalMaterial, placed: &Placing, black_king: Square) -> Example {
    let groups = Layout::groups_of(material);
    index::example(&groups, Bia::NONE, [placed.king, black_king], &placed.men)
}
