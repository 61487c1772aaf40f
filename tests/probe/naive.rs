//! Compares the fast probe with a slow one, which decodes every cell beforehand, takes indices from
//! the module `index`, and tries every pair of squares as a move.

use std::collections::BTreeMap;

use sakmak::board::{Color, Move, Position, Square};
use sakmak::index::{Bia, Layout};
use sakmak::material::{CanonicalMaterial, MIN_MEN};
use sakmak::probe::{Distance, Moves, Options};
use sakmak::rules::{Category, Count, Outcome, RuleSet, category, moves_available};
use sakmak::table::{Access, Code, DecodedCells, Metric, SectionHeader, TableFile, file_name};

use crate::common::{materials, positions, tablebase, tables};

struct Section {
    header: SectionHeader,
    layout: Layout,
    cells: DecodedCells,
}

/// Completely decoded tables.
struct Slow(BTreeMap<CanonicalMaterial, Vec<Section>>);

impl Slow {
    fn new(materials: &[CanonicalMaterial]) -> Slow {
        let sections = |material| {
            let path = tables().join(file_name(material));
            let file = TableFile::open(&path, Access::Whole).unwrap();
            let sections = file.sections().map(|section| {
                let header = section.header().clone();
                let info = &header.info;
                let layout = Layout::from_bytes(material, info.symmetry, &info.order);
                Section {
                    layout: layout.unwrap(),
                    cells: section.decode_all(&|_| {}).unwrap(),
                    header,
                }
            });
            sections.collect()
        };
        Slow(materials.iter().map(|&m| (m, sections(m))).collect())
    }

    fn code(&self, metric: Metric, position: &Position) -> Option<Code> {
        let sections = &self.0[&position.material().canonical().0];
        let section = sections.iter().find(|section| {
            let info = &section.header.info;
            info.metric == metric && info.side == position.turn()
        })?;
        let layout = &section.layout;
        let [white, black] = Color::ALL.map(|color| position.king(color));
        let number = layout.number(Bia::NONE, [white, black], |group| {
            let group = layout.groups()[group];
            position.men(group.color, group.role)
        });
        let code = section.cells.get(number as usize).unwrap();
        Some(section.header.info.codes[usize::from(code)])
    }

    fn distance(&self, metric: Metric, position: &Position) -> Distance {
        let material = position.material();
        if material.men() == MIN_MEN {
            return Distance::Draw;
        }
        let position = match material.canonical().1 {
            true => position.flipped(),
            false => *position,
        };
        let turn = position.turn();
        let base = || {
            metric
                .base(material.canonical().0)
                .and_then(|metric| self.code(metric, &position))
        };
        let code = match self.code(metric, &position) {
            None | Some(Code::Base) => base(),
            code => code,
        };
        let Some(code) = code else {
            return self.by_moves(metric, &position);
        };
        match code.win() {
            None => Distance::Draw,
            Some((winner, moves)) if winner == turn => Distance::Win(Moves(moves)),
            Some((_, moves)) => Distance::Loss(Moves(moves)),
        }
    }

    fn by_moves(&self, metric: Metric, position: &Position) -> Distance {
        let mut values = Vec::new();
        for from in position.by_color(position.turn()) {
            for to in Square::all() {
                let m = Move::new(from, to);
                if position.is_legal(m) {
                    let next = position.play(m);
                    values.push(
                        self.after(metric, position.is_capture(m), &next)
                            .before_move(),
                    );
                }
            }
        }
        let stuck = match position.is_check() {
            true => Distance::Loss(Moves(0)),
            false => Distance::Draw,
        };
        values.into_iter().max().unwrap_or(stuck)
    }

    fn after(&self, metric: Metric, capture: bool, next: &Position) -> Distance {
        let rules = RuleSet::ALL
            .into_iter()
            .find(|&rules| metric == Metric::Dth(rules));
        let (Some(rules), true, Some(bare)) = (rules, capture, next.material().bare_side()) else {
            return self.distance(metric, next);
        };
        let dtm = self.distance(Metric::Dtm, next);
        let turn = next.turn();
        assert_eq!(turn, bare);
        let available = moves_available(rules, next.material(), !bare, turn, &Count::Fresh);
        let outcome: Outcome = dtm.outcome(turn);
        match category(outcome, turn, available) {
            Category::Loss => Distance::Loss(Moves(0)),
            _ => Distance::Draw,
        }
    }
}

#[test]
fn the_fast_probe_says_what_a_slow_one_says() {
    // One cache so small that most blocks are decoded again and again, and one that keeps all.
    let small = Options {
        cache_bytes: 0,
        most_open: Some(2),
        ..Options::default()
    };
    let tablebases = [Options::default(), small].map(|options| tablebase(tables(), &options));
    for material in materials() {
        let slow = Slow::new(&material.closure());
        for position in positions(material, 600) {
            let dtm = slow.distance(Metric::Dtm, &position);
            for tablebase in &tablebases {
                assert_eq!(tablebase.dtm(&position).unwrap(), dtm, "{position:?}");
            }
            for rules in RuleSet::ALL {
                let metric = Metric::Dth(rules);
                let dth = (!material.is_bare()).then(|| slow.distance(metric, &position));
                // ASEAN chess's fifty-move rule ends a longer win.
                let dth = match dth.map(|dth| (dth, dth.moves())) {
                    Some((_, Some(Moves(51..)))) if rules == RuleSet::Asean => Some(Distance::Draw),
                    Some((dth, _)) => Some(dth),
                    None => None,
                };
                for tablebase in &tablebases {
                    let found = tablebase.dth(&position, rules).unwrap();
                    assert_eq!(found, dth, "{rules} {position:?}");
                }
            }
        }
    }
    let statistics = tablebases.map(|tablebase| tablebase.inventory().cache_statistics());
    assert!(statistics[0].hits > statistics[0].misses);
    assert!(statistics[1].misses > statistics[0].misses);
}
