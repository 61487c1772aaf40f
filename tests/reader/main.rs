//! Guarantees for programs that only read tables, from bytes: with any features, files give the
//! cells and answers that were written.

#[path = "../golden/plain.rs"]
mod plain;
#[path = "../golden/symbol_ranking.rs"]
mod ranked;

mod forged;

use std::io;
use std::sync::Mutex;

use sakmak::board::Color;
use sakmak::probe::{Distance, Moves, ProbeError, Tablebase};
use sakmak::rules::{Count, RuleSet};
use sakmak::table::{
    Block, Code, Decoder, ILLEGAL, Section, Source, Table, TableErrorKind, file_name,
};

const PLAIN: &[u8] = include_bytes!("../golden/format-3.skm");
const SYMBOL_RANKING: &[u8] = include_bytes!("../golden/format-3-symbol-ranking.skm");

/// The codes of all cells of a section.
fn codes(section: Section<'_, &[u8]>) -> Vec<Code> {
    let header = section.header();
    let (mut decoder, mut block) = (Decoder::new(), Block::new());
    let mut codes = Vec::new();
    for number in 0..header.blocks() {
        section
            .read_block(number, &mut decoder, &mut block)
            .unwrap();
        let cells = (0..block.len()).map(|i| block.get(i).unwrap());
        codes.extend(cells.map(|cell| header.info.codes[usize::from(cell)]));
    }
    codes
}

/// Asserts that every legal position has the code that was written.
fn assert_codes(section: Section<'_, &[u8]>, written: &[u16], told: &[Code]) {
    let read = codes(section);
    assert_eq!(read.len(), written.len());
    for (number, (&read, &written)) in read.iter().zip(written).enumerate() {
        let legal = written != ILLEGAL;
        assert!(
            !legal || told[usize::from(written)] == read,
            "cell {number}"
        );
    }
}

#[test]
fn cells_come_back_as_they_were_written() {
    let table = Table::new(PLAIN).unwrap();
    let sections = plain::sections();
    assert_eq!(table.sections().len(), sections.len());
    for (section, (info, written)) in table.sections().zip(sections) {
        assert_eq!(section.header().info, info);
        assert_codes(section, &written, &info.codes);
    }
    let (layout, written) = ranked::section();
    let table = Table::new(SYMBOL_RANKING).unwrap();
    let section = table.sections().next().unwrap();
    assert_codes(section, &written, &ranked::info(&layout, 30).codes);
}

#[test]
fn a_tablebase_answers_from_bytes() {
    let (layout, written) = ranked::section();
    let codes = ranked::info(&layout, 30).codes;
    let mut tablebase = Tablebase::new();
    let material = tablebase.add_bytes(SYMBOL_RANKING).unwrap();
    assert_eq!(material, layout.material());
    // The table added first stays.
    assert_eq!(
        tablebase.add_bytes(SYMBOL_RANKING.to_vec()).unwrap(),
        material
    );
    assert!(tablebase.inventory().materials().eq([material]));
    let mut asked = 0;
    for (number, &written) in (0..).zip(&written) {
        let example = layout.example(number);
        let Some(position) = example.position(material, Color::White) else {
            assert_eq!(written, ILLEGAL);
            continue;
        };
        let expected = match codes[usize::from(written)] {
            Code::WhiteWins(moves) => Distance::Win(Moves(moves)),
            Code::BlackWins(moves) => Distance::Loss(Moves(moves)),
            _ => Distance::Draw,
        };
        for position in [position, position.mirrored(), position.flipped()] {
            assert_eq!(tablebase.dtm(&position).unwrap(), expected);
            let value = tablebase.probe(&position, RuleSet::Asean, &Count::Fresh);
            assert_eq!(value.unwrap().dtm, expected);
        }
        asked += 1;
    }
    assert!(asked > 10_000);
    let caught = tablebase.inventory().cache_statistics();
    assert!(caught.hits > 100 * caught.misses && caught.misses > 0);
}

#[test]
fn what_is_missing_or_damaged_is_an_error_of_its_own() {
    let mut tablebase = Tablebase::new();
    let none = tablebase.add_bytes(&b"not a table"[..]).unwrap_err();
    assert!(matches!(none.kind(), TableErrorKind::NotATable));
    let short = tablebase
        .add_bytes(&SYMBOL_RANKING[..SYMBOL_RANKING.len() - 1])
        .unwrap_err();
    assert!(matches!(short.kind(), TableErrorKind::Truncated { .. }));
    // Its order of men does not fit its ending.
    let other = tablebase.add_bytes(PLAIN).unwrap_err();
    assert!(matches!(other.kind(), TableErrorKind::HeaderCorrupt { .. }));
    let material = "KRvK".parse().unwrap();
    let missing = tablebase.inventory().table(material).unwrap_err();
    assert!(matches!(missing, ProbeError::Missing { .. }));

    for whole in [PLAIN, SYMBOL_RANKING] {
        let header = u64::from_le_bytes(whole[24..32].try_into().unwrap()) as usize;
        for at in (64..header).step_by(97) {
            let mut bytes = whole.to_vec();
            bytes[at] ^= 1 << (at % 8);
            let table = Table::new(&bytes[..]).unwrap();
            let (mut decoder, mut block) = (Decoder::new(), Block::new());
            let noticed = table.sections().any(|section| {
                (0..section.header().blocks())
                    .any(|n| section.read_block(n, &mut decoder, &mut block).is_err())
            });
            assert!(noticed, "byte {at}");
        }
    }
}

/// The vocabulary of a program that probes is at the root of the crate, and threads may share a
/// tablebase.
#[test]
fn a_program_that_probes_finds_its_names_at_the_root() {
    use sakmak::{
        Answer, CanonicalMaterial, Category, Count, CountError, Fen, FenError, Lettering, Line,
        Material, MaterialError, Move, MoveList, Plies, Position, PositionError, RankedMove, Role,
        Square, SquareSet, TableError, Value,
    };

    fn shared<T: Send + Sync>() {}
    shared::<sakmak::Tablebase>();
    type Probe = fn(&Tablebase, &Position, RuleSet, &Count) -> Result<Value, ProbeError>;
    let probe: Probe = sakmak::Tablebase::probe;
    type Ranked = fn(&Tablebase, &Position, RuleSet, &Count) -> Result<Vec<RankedMove>, ProbeError>;
    let best_moves: Ranked = sakmak::Tablebase::best_moves;
    type Played = fn(&Tablebase, &Position, RuleSet, &Count) -> Result<Line, ProbeError>;
    let line: Played = sakmak::Tablebase::line;
    type Answered = fn(&Tablebase, &Fen, RuleSet) -> Result<Answer, ProbeError>;
    let answer: Answered = sakmak::Tablebase::answer;
    fn is_error<T: std::error::Error>() {}
    is_error::<CountError>();
    is_error::<FenError>();
    is_error::<MaterialError>();
    is_error::<PositionError>();
    is_error::<TableError>();

    // Two bare kings, set up man by man and read from a FEN.
    let kings = [(35, Color::White), (59, Color::Black)];
    let kings = kings.map(|(square, color)| (Square::wrapping(square), color, Role::King));
    let position = Position::from_men(kings, Color::White).unwrap();
    let fen = Fen::parse("3k4/8/8/3K4/8/8/8/8 w", Lettering::Makruk).unwrap();
    assert_eq!(fen.position, position);
    let only_kings: Result<CanonicalMaterial, MaterialError> = "KvK".parse();
    assert!(only_kings.is_err());
    let rook: Material = "KRvK".parse::<CanonicalMaterial>().unwrap().material();
    assert_ne!(position.material(), rook);
    let men: SquareSet = position.occupied();
    assert_eq!(men.len(), 2);

    let tablebase = Tablebase::new();
    let value = probe(&tablebase, &position, RuleSet::Ouk, &Count::Fresh).unwrap();
    let draw: (Category, Distance<Moves>) = (Category::Draw, Distance::Draw);
    assert_eq!((value.category, value.dtm), draw);
    assert!(!matches!(value.dtm, Distance::Win(Moves(_))));
    let moves: MoveList = position.legal_moves();
    let ranked = best_moves(&tablebase, &position, RuleSet::Ouk, &Count::Fresh).unwrap();
    assert_eq!(ranked.len(), moves.len());
    let best: Move = ranked[0].m;
    assert!(moves.contains(&best));
    assert!(line(&tablebase, &position, RuleSet::Ouk, &Count::Fresh).is_ok());
    assert!(answer(&tablebase, &fen, RuleSet::Ouk).is_ok());
    assert!(Plies(3) > Plies(2));
}

/// A file each of whose bytes is available once it was requested.
struct Late(Mutex<Vec<bool>>);

impl Source for &'static Late {
    fn length(&self) -> io::Result<u64> {
        Ok(SYMBOL_RANKING.len() as u64)
    }

    fn bytes<'a>(&'a self, start: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let range = start as usize..start as usize + length;
        let mut there = self.0.lock().unwrap();
        if there[range.clone()].iter().all(|&there| there) {
            return Ok(&SYMBOL_RANKING[range]);
        }
        there[range].fill(true);
        Err(io::ErrorKind::WouldBlock.into())
    }
}

#[test]
fn source_is_asked_again_for_what_was_not_there() {
    let mut whole = Tablebase::new();
    let material = whole.add_bytes(SYMBOL_RANKING).unwrap();
    let late: &'static Late = Box::leak(Box::new(Late(Mutex::new(vec![
        false;
        SYMBOL_RANKING.len()
    ]))));
    let mut tablebase = Tablebase::new();
    assert_eq!(
        tablebase.add_source(file_name(material), late),
        Some(material)
    );
    assert!(tablebase.inventory().materials().eq([material]));
    let (layout, _) = ranked::section();
    let mut failed = 0;
    let positions = (0..layout.cells()).step_by(101);
    for position in
        positions.filter_map(|number| layout.example(number).position(material, Color::White))
    {
        let distance = loop {
            match tablebase.dtm(&position) {
                Ok(distance) => break distance,
                Err(ProbeError::Table(error)) => {
                    let late = |kind: &TableErrorKind| matches!(kind, TableErrorKind::Io { source, .. } if source.kind() == io::ErrorKind::WouldBlock);
                    assert!(late(error.kind()), "{error}");
                    failed += 1;
                }
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(distance, whole.dtm(&position).unwrap());
    }
    // The preamble, the header, the model, and each block with its index entry.
    assert!(failed > 5, "{failed}");
    // The file of another ending.
    let other = "KRRvK".parse().unwrap();
    tablebase.add_source("KRRvK.skm", SYMBOL_RANKING);
    let error = tablebase.inventory().table(other).unwrap_err();
    assert!(error.to_string().contains("is the table of"), "{error}");
    for name in ["KRRvK", "KRRvK.txt", "KvKRR.skm", "manifest.json"] {
        assert_eq!(tablebase.add_source(name, SYMBOL_RANKING), None);
    }
}
