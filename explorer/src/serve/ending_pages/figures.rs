//! The figures on the pages about endings.

use std::collections::BTreeMap;

use sakmak::board::{Color, Fen};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak_study::{EndingStudy, RECORD_RULES, Record, Remark, Row, records};

/// The figures of all endings with pages.
#[derive(Debug, Default)]
pub(in crate::serve) struct Catalogue {
    pub endings: BTreeMap<CanonicalMaterial, Figures>,
}

impl Catalogue {
    /// Reads the headers of these endings' tables. Leaves out endings whose tables cannot be used.
    pub fn new(
        tablebase: &Tablebase,
        materials: impl IntoIterator<Item = CanonicalMaterial>,
    ) -> Catalogue {
        let study = |material| EndingStudy::read(tablebase, material).ok();
        let studies: Vec<EndingStudy> = materials.into_iter().filter_map(study).collect();
        let rows: BTreeMap<CanonicalMaterial, &Row> = studies
            .iter()
            .filter_map(|study| Some((study.material, study.main_row()?)))
            .collect();
        let figures = |study: &EndingStudy| Some((study.material, Figures::new(study, &rows)?));
        Catalogue {
            endings: studies.iter().filter_map(figures).collect(),
        }
    }
}

/// The figures of one ending.
#[derive(Debug)]
pub(in crate::serve) struct Figures {
    pub material: CanonicalMaterial,
    /// The row of figures that represents the ending in lists.
    pub main: Row,
    pub remark: Remark,
    /// The length of the longest mate, in moves, with the stronger side to move and nothing
    /// counted.
    pub longest_mate: Option<usize>,
    /// The rows of figures with the winner to move, under each rule set.
    pub winners: Vec<Row>,
    /// The hardest positions, each with the number of moves that a fresh count allows the winner.
    pub records: Vec<(Record, Option<u32>)>,
}

impl Figures {
    /// Collects the figures of an ending. The ending is compared with the main rows of other
    /// endings in `others`. None if the table has no results for any rule set.
    fn new(study: &EndingStudy, others: &BTreeMap<CanonicalMaterial, &Row>) -> Option<Figures> {
        let main = study.main_row()?;
        let comparable = |row: &&Row| row.rules == main.rules;
        let find = |material| others.get(&material).copied().filter(comparable);
        let mates = &study.mates.to_move(Color::White).white_wins;
        let found = records(study, &[]).into_iter();
        Some(Figures {
            material: study.material,
            remark: Remark::on(main, find),
            longest_mate: mates.iter().rposition(|&n| n > 0),
            winners: study
                .rules
                .iter()
                .flat_map(|set| set.winners())
                .cloned()
                .collect(),
            records: found
                .map(|record| {
                    let left = available(study, &record);
                    (record, left)
                })
                .collect(),
            main: main.clone(),
        })
    }
}

impl Figures {
    /// The first of the hardest positions.
    pub fn hardest(&self) -> Option<&Fen> {
        let (record, _) = self.records.first()?;
        Some(&record.fen)
    }
}

/// The number of moves that a fresh count allows the winner in a record position.
fn available(study: &EndingStudy, record: &Record) -> Option<u32> {
    let winner = match record.white_wins {
        true => Color::White,
        false => Color::Black,
    };
    let white_to_move = record.fen.position.turn() == Color::White;
    let rules = study.under(RECORD_RULES)?;
    let row = rules.row(winner, white_to_move == record.white_wins)?;
    row.moves_available
}
