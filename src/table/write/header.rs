//! Encodes the header of a distance table.

use crate::container::bytes::ByteWriter;
use crate::table::code::{Code, MAX_CODES};
use crate::table::header::{Header, Metric, Packing, SectionHeader, SectionInfo};
use crate::table::statistics::{statistics_fault, write_statistics};

/// The largest number of sections in a table. The file stores their number in one byte.
const MAX_SECTIONS: usize = 255;

impl SectionInfo {
    /// The reason why this section's header cannot be encoded; `None` if it can be.
    pub(super) fn fault(&self) -> Option<&'static str> {
        if self.codes.is_empty() || self.codes.len() > MAX_CODES {
            return Some("a section needs 1 to 65534 codes");
        }
        if self.order.len() > u8::MAX.into() {
            return Some("a section has more than 255 components");
        }
        statistics_fault(&self.statistics)
    }
}

impl Header {
    /// Encodes the header's list of sections.
    pub fn encode(&self) -> ByteWriter {
        let mut out = ByteWriter::default();
        out.u8(self.sections.len().min(MAX_SECTIONS) as u8);
        for section in &self.sections {
            encode_section(&mut out, section);
        }
        out
    }
}

fn encode_section(out: &mut ByteWriter, section: &SectionHeader) {
    let info = &section.info;
    let (metric, rules) = match info.metric {
        Metric::Dtm => (0, 0),
        Metric::Dth(rules) => (1, rules.id()),
    };
    out.u8(metric);
    out.u8(rules);
    out.u8(info.side.index() as u8);
    out.u8(info.symmetry);
    out.short_bytes(&info.order);
    out.u64(section.cells);
    out.u32(section.block_cells);
    out.u8(match section.packing {
        Packing::Plain => 0,
        Packing::SymbolRanking => 1,
        Packing::RankingOverBase => 2,
    });
    out.u64(section.start);
    out.u32(section.model_bytes);
    out.u32(section.model_crc);
    out.u64(section.index);
    out.list(&info.codes, |out, &code| {
        let (kind, moves) = match code {
            Code::Draw => (0, 0),
            Code::WhiteWins(moves) => (1, moves),
            Code::BlackWins(moves) => (2, moves),
            Code::Base => (3, 0),
        };
        out.u8(kind);
        out.u16(moves);
    });
    write_statistics(out, &info.statistics);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::container::write::file_bytes_of;
    use crate::container::{TableErrorKind, read_header};
    use crate::rules::{RuleSet, RuleSets};
    use crate::statistics::Statistics;
    use crate::table::header::{RULES_REVISION, VERSION_WITH_RULE_SETS, rules_revision};
    use crate::table::read::Distances;

    fn header() -> Header {
        let info = SectionInfo {
            metric: Metric::Dth(RuleSet::Asean),
            side: Color::Black,
            symmetry: 3,
            order: vec![2, 0, 1],
            codes: vec![Code::Draw, Code::WhiteWins(300), Code::BlackWins(1)],
            statistics: Statistics::default(),
        };
        Header {
            material: "KSMvK".parse().unwrap(),
            rules: RuleSets::ALL,
            sections: vec![SectionHeader {
                info,
                cells: 100,
                block_cells: 30,
                packing: Packing::Plain,
                model_bytes: 0,
                start: 64,
                model_crc: 5,
                index: 80,
            }],
        }
    }

    /// Encodes the header, then parses it.
    fn read(header: &Header) -> Result<Header, TableErrorKind> {
        read_as(header, rules_revision(header.material))
    }

    /// Encodes the header with another rules revision in the file, then parses it.
    fn read_as(header: &Header, revision: u32) -> Result<Header, TableErrorKind> {
        let parts = 80 + 8 + 4 * Packing::Plain.entry_bytes();
        let (version, fields) = (header.version(), header.encode());
        let rules = (version >= VERSION_WITH_RULE_SETS).then_some(header.rules);
        let file = file_bytes_of::<Distances>(
            version,
            revision,
            header.material,
            rules,
            &fields,
            parts as usize,
        );
        let (_, _, distances) = read_header::<Distances>(&file)?;
        Ok(distances.header().clone())
    }

    #[test]
    fn header_round_trips() {
        let header = header();
        assert_eq!(read(&header).unwrap(), header);
        let section = &header.sections[0];
        assert_eq!(section.blocks(), 4);
        let cells: Vec<_> = (0..5).map(|block| section.cells_of(block)).collect();
        assert_eq!(cells, [30, 30, 30, 10, 0]);
    }

    #[test]
    fn a_table_without_all_rule_sets_has_a_version_of_its_own() {
        let with = |sets: &[RuleSet]| Header {
            rules: RuleSets::with(sets.iter().copied()),
            ..header()
        };
        let some = with(&[RuleSet::Asean]);
        assert_eq!(
            (some.version(), header().version()),
            (VERSION_WITH_RULE_SETS, 3)
        );
        assert_eq!(read(&some).unwrap(), some);
        // The same header is refused if its rule sets do not include ASEAN chess.
        assert!(matches!(
            read(&with(&[])),
            Err(TableErrorKind::HeaderCorrupt { .. })
        ));
    }

    #[test]
    fn rule_sets_that_the_material_cannot_have_are_refused() {
        for (material, bits, taken) in [
            ("KSMvK", 0b001, true),
            ("KSMvK", 0b111, true),
            ("KSMvK", 0b110, false),
            ("KSMvK", 0b1001, false),
            ("KSPvK", 0b001, true),
            ("KSPvK", 0b111, false),
        ] {
            let mut header = header();
            header.material = material.parse().unwrap();
            header.sections[0].info.metric = Metric::Dtm;
            header.rules = RuleSets::MAKRUK;
            let mut fields = header.encode();
            // Inserts rule-set bits that no writer sets.
            fields.bytes.insert(0, bits);
            let parts = 80 + 8 + 4 * Packing::Plain.entry_bytes();
            let revision = rules_revision(header.material);
            let (end, material) = (parts as usize, header.material);
            let file = file_bytes_of::<Distances>(
                VERSION_WITH_RULE_SETS,
                revision,
                material,
                None,
                &fields,
                end,
            );
            let read = read_header::<Distances>(&file);
            assert_eq!(read.is_ok(), taken, "{material} {bits:b}");
        }
    }

    #[test]
    fn sections_that_overlap_or_leave_the_file_are_refused() {
        let refused = |change: fn(&mut SectionHeader)| {
            let mut header = header();
            change(&mut header.sections[0]);
            matches!(read(&header), Err(TableErrorKind::HeaderCorrupt { .. }))
        };
        assert!(refused(|section| section.start = 63));
        assert!(refused(|section| section.start = 65));
        assert!(refused(|section| section.start = u64::MAX));
        assert!(refused(|section| section.index = 81));
        assert!(refused(|section| section.index = u64::MAX));
        assert!(refused(|section| section.cells = u64::MAX));
        assert!(refused(|section| section.model_bytes = 17));
        assert!(refused(|section| section.block_cells = 0));
        assert!(refused(|section| section.info.codes.clear()));
        assert!(!refused(|_| {}));
    }

    #[test]
    fn revisions_are_those_of_the_published_tables() {
        for (revision, names) in [
            (1, ["KRvK", "KRvKS", "KRRRRvK", "KRPvK", "KRvKP", "KPPPvK"]),
            (
                2,
                [
                    "KRRvKS",
                    "KNNMvK",
                    "KMPvKM",
                    "KPPvKP",
                    "KPvK-asean",
                    "KRPvKR-asean",
                ],
            ),
        ] {
            for name in names {
                assert_eq!(rules_revision(name.parse().unwrap()), revision, "{name}");
            }
        }
    }

    #[test]
    fn another_rules_revision_is_refused() {
        assert!(matches!(
            read_as(&header(), RULES_REVISION + 1),
            Err(TableErrorKind::RulesRevision { .. })
        ));
    }
}
