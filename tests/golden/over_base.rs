//! The contents of the golden file of sections predicted from others.

use sakmak::index::Layout;
use sakmak::rules::RuleSet;
use sakmak::table::{BlockPacking, Code, ILLEGAL, Metric, Packing, SectionInfo, WriteOptions};

use super::ranked;

/// A section to be written: its description, its packing and its cells.
pub struct Written {
    pub info: SectionInfo,
    pub packing: BlockPacking,
    pub cells: Vec<u16>,
}

impl Written {
    /// The values of its cells, given the base section; none where there is no legal position.
    pub fn values(&self, base: Option<&[Option<Code>]>) -> Vec<Option<Code>> {
        let value = |(i, &cell): (usize, &u16)| match self.info.codes.get(usize::from(cell)) {
            Some(Code::Base) => base.and_then(|base| base[i]),
            code => code.copied(),
        };
        self.cells.iter().enumerate().map(value).collect()
    }
}

/// A section of each metric of an ending with men on both sides. Later sections resemble earlier
/// ones, with a random share of `noise` of 2^24; the last one has the one before as its base.
pub fn sections(layout: &Layout, codes: u16, noise: u64) -> Vec<Written> {
    let options = WriteOptions::default();
    let over = BlockPacking {
        kind: Packing::RankingOverBase,
        ..options.symbol_ranking()
    };
    let told = ranked::info(layout, codes);
    let mates = ranked::cells(layout, codes, noise);
    let other = ranked::cells(layout, codes, 2 * noise);
    let honor: Vec<u16> = mates
        .iter()
        .zip(&other)
        .map(|(&mate, &other)| match mate {
            ILLEGAL => ILLEGAL,
            // Mostly the same value, or the next one that the same side wins; sometimes another.
            mate if mate < 4 => mate,
            _ if other % 7 == 0 => other,
            mate if other % 2 == 0 => mate - 3,
            mate => mate,
        })
        .collect();
    let mut based = told.codes.clone();
    based.push(Code::Base);
    let refers = |(&honor, &other): (&u16, &u16)| match (honor, other % 11) {
        (ILLEGAL, _) => ILLEGAL,
        (_, 0) => other,
        _ => codes,
    };
    let ouk: Vec<u16> = honor.iter().zip(&other).map(refers).collect();
    let of = |metric: Metric, codes: &[Code]| SectionInfo {
        metric,
        codes: codes.to_vec(),
        ..told.clone()
    };
    vec![
        Written {
            info: told.clone(),
            packing: options.symbol_ranking(),
            cells: mates,
        },
        Written {
            info: of(Metric::Dth(RuleSet::Makruk), &told.codes),
            packing: over,
            cells: honor,
        },
        Written {
            info: of(Metric::Dth(RuleSet::Ouk), &based),
            packing: over,
            cells: ouk,
        },
    ]
}

/// The sections of an ending against a bare king: distances to mate, and ASEAN chess's based on
/// them.
pub fn sections_of_bare_king(layout: &Layout, codes: u16, noise: u64) -> Vec<Written> {
    let mut sections = sections(layout, codes, noise);
    sections.truncate(2);
    sections[1].info.metric = Metric::Dth(RuleSet::Asean);
    sections
}

/// The sections of `golden/format-5.skm`, a file that is never written again.
pub fn golden_of_bare_king() -> (Layout, Vec<Written>) {
    let layout = ranked::layout("KRvK");
    let sections = sections_of_bare_king(&layout, 30, 1 << 18);
    (layout, sections)
}

/// The sections of `golden/format-4.skm`, a file that is never written again.
pub fn golden() -> (Layout, Vec<Written>) {
    let layout = ranked::layout("KRvKR");
    let sections = sections(&layout, 30, 1 << 18);
    (layout, sections)
}
