//! The figures on the pages about endings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use sakmak::board::{Color, Fen};
use sakmak::directory::{DistanceSummary, TableHashes};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Share, Tablebase};
use sakmak_study::{
    EndingStudy, Findings, PromotionScan, Record, Remark, Row, StudyCache, records,
};

use super::story::Story;

/// The figures of all endings with pages.
#[derive(Debug, Default)]
pub(in crate::serve) struct Catalogue {
    pub endings: BTreeMap<CanonicalMaterial, Figures>,
}

impl Catalogue {
    /// Reads the headers of these endings' tables, and the results of `sakmak study` beside them.
    /// Leaves out endings whose tables cannot be used.
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
        let mut found = Found::new(tablebase, rows.keys().copied());
        let mut figures = |study: &EndingStudy| {
            let findings = found.of(tablebase, study.material);
            Some((study.material, Figures::new(study, &rows, findings)?))
        };
        Catalogue {
            endings: studies.iter().filter_map(&mut figures).collect(),
        }
    }

    /// The positions that White wins in time with White to move, under the rules of the main rows.
    /// If `swapped`, those that Black wins with Black to move. None if the ending has no page.
    pub fn wins(&self, material: CanonicalMaterial, swapped: bool) -> Option<Share> {
        let figures = self.endings.get(&material)?;
        let winner = if swapped { Color::Black } else { Color::White };
        let mut rows = figures.winners.iter();
        let equal = material.army(Color::White) == material.army(Color::Black);
        let row =
            rows.find(|row| row.rules == figures.main.rules && (row.winner == winner || equal));
        // An ending has no row for a side that wins no position.
        Some(row.map_or(figures.main.share(0), |row| row.share(row.in_time)))
    }
}

/// The results of studies in the directories of the tables.
struct Found {
    cache: StudyCache,
    hashes: TableHashes,
}

impl Found {
    /// Reads the results. Files that cannot be used count as missing.
    fn new(tablebase: &Tablebase, materials: impl Iterator<Item = CanonicalMaterial>) -> Found {
        let paths = materials.filter_map(|material| tablebase.inventory().path(material));
        let directories: BTreeSet<&Path> = paths.filter_map(Path::parent).collect();
        let mut cache = StudyCache::default();
        for directory in directories {
            let _ = cache.load(directory);
        }
        Found {
            cache,
            hashes: TableHashes::default(),
        }
    }

    fn of(&mut self, tablebase: &Tablebase, material: CanonicalMaterial) -> Option<Findings> {
        // Without results, no table has to be hashed.
        if self.cache == StudyCache::default() {
            return None;
        }
        let table = tablebase.inventory().table(material).ok()?;
        let hash = self.hashes.of::<DistanceSummary>(&table).ok()?;
        self.cache.get(&hash).cloned()
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
    /// The effect of immediate promotion for each side that has bia, under the rule set of `main`.
    /// Empty without a study.
    pub promotions: Vec<PromotionScan>,
    /// The worked positions, computed when they are first requested.
    story: OnceLock<Story>,
}

impl Figures {
    /// Collects the figures of an ending. The ending is compared with the main rows of other
    /// endings in `others`. None if the table has no results for any rule set.
    fn new(
        study: &EndingStudy,
        others: &BTreeMap<CanonicalMaterial, &Row>,
        findings: Option<Findings>,
    ) -> Option<Figures> {
        let main = study.main_row()?;
        let comparable = |row: &&Row| row.rules == main.rules;
        let find = |material| others.get(&material).copied().filter(comparable);
        let mates = &study.mates.to_move(Color::White).white_wins;
        let scan = findings.as_ref().and_then(|found| found.scan.as_ref());
        let late = scan.map_or(&[][..], |scan| &scan.late);
        let draws = findings
            .as_ref()
            .map_or(&[][..], |found| &found.count_draws);
        let found = records(study, late, draws).into_iter();
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
            promotions: findings
                .and_then(|found| found.promotion)
                .map_or(Vec::new(), |study| study.promotions)
                .into_iter()
                .filter(|scan| scan.rules == main.rules)
                .collect(),
            main: main.clone(),
            story: OnceLock::new(),
        })
    }

    /// The first of the hardest positions.
    pub fn hardest(&self) -> Option<&Fen> {
        let (record, _) = self.records.first()?;
        Some(&record.fen)
    }

    /// The worked positions. The first call reads them from the tables.
    pub fn story(&self, tablebase: &Tablebase) -> &Story {
        let records = self.records.iter().map(|(record, _)| record);
        self.story
            .get_or_init(|| Story::new(tablebase, &self.promotions, records))
    }
}

/// The number of moves that a fresh count allows the winner in a record position.
fn available(study: &EndingStudy, record: &Record) -> Option<u32> {
    let white_to_move = record.fen.position.turn() == Color::White;
    let rules = study.under(record.rules)?;
    let row = rules.row(record.winner(), white_to_move == record.white_wins)?;
    row.moves_available
}
