//! Worked positions of an ending: promotions that come too early, and best play from the hardest
//! positions.

use sakmak::board::{Fen, Move};
use sakmak::probe::{End, Line, Played, Tablebase};
use sakmak::rules::{Count, RuleSet};
use sakmak_study::{PromotionScan, Record};

/// The most plies that show the right way.
const LONGEST_WAY: usize = 12;
/// The number of plies that show a mate: three moves of the winner.
const MATE: usize = 5;

/// The worked positions of an ending.
#[derive(Debug)]
pub(in crate::serve) struct Story {
    /// A position for each of the scans of promotions. None if no promotion comes too early there.
    pub early: Vec<Option<EarlyPromotion>>,
    /// Best play from each of the records. None if a table is missing.
    pub lines: Vec<Option<Line>>,
}

/// A position in which every promotion throws the win away because of the count.
#[derive(Debug)]
pub(in crate::serve) struct EarlyPromotion {
    pub fen: Fen,
    pub rules: RuleSet,
    /// A promotion after which mate comes too late.
    pub promotion: Move,
    /// The number of moves in which it would mate.
    pub needed: u32,
    /// The number of moves that its count allows. None if other bia stand.
    pub left: Option<u32>,
    /// Best play instead, up to the promotion that keeps the win.
    pub way: Vec<Played>,
}

impl Story {
    /// Works out an example of each scan, and best play from each record.
    pub fn new<'a>(
        tablebase: &Tablebase,
        promotions: &[PromotionScan],
        records: impl Iterator<Item = &'a Record>,
    ) -> Story {
        let early = promotions.iter().map(|scan| {
            let mut examples = scan.examples.iter();
            examples.find_map(|fen| EarlyPromotion::new(tablebase, fen, scan.rules))
        });
        let line = |record: &Record| {
            tablebase
                .line(&record.fen.position, record.rules, &Count::Fresh)
                .ok()
        };
        Story {
            early: early.collect(),
            lines: records.map(line).collect(),
        }
    }

    /// The last moves of the first line that ends with mate.
    pub fn mate(&self) -> Option<&[Played]> {
        let mut lines = self.lines.iter().flatten();
        let line = lines.find(|line| line.end == End::Checkmate && line.moves.len() > MATE)?;
        Some(&line.moves[line.moves.len() - MATE..])
    }
}

impl EarlyPromotion {
    fn new(tablebase: &Tablebase, fen: &Fen, rules: RuleSet) -> Option<EarlyPromotion> {
        let position = fen.position;
        let turn = position.turn();
        let count = Count::Fresh;
        let ranked = tablebase.best_moves(&position, rules, &count).ok()?;
        let mut promotions = ranked.iter().filter(|ranked| ranked.m.promotion.is_some());
        let early = promotions.find(|ranked| ranked.dtm.winner(turn) == Some(turn))?;
        // The distance includes the promotion itself.
        let needed = u32::from(u16::from(early.dtm.moves()?)).checked_sub(1)?;
        let mut way = tablebase.line(&position, rules, &count).ok()?.moves;
        let promotes = way.iter().position(|played| played.m.promotion.is_some());
        way.truncate(promotes.map_or(LONGEST_WAY, |at| at + 1).min(LONGEST_WAY));
        Some(EarlyPromotion {
            fen: *fen,
            rules,
            promotion: early.m,
            needed,
            left: early.begins.map(|allowance| allowance.moves_available),
            way,
        })
    }
}
