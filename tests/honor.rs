//! Distances to honor, and the categories that follow, are those of the naive twin at every position
//! of an ending with men on both sides.

mod naive;

use std::path::Path;

use naive::{Goal, NaiveTable, Value};
use sakmak::board::{Color, Position};
use sakmak::generate::{Library, generate_table};
use sakmak::index::Layout;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::{Category, Count, Outcome, RuleSet, category, moves_available};
use sakmak::table::{Access, Cells, Code, Metric, TableFile, WriteOptions, file_name};

/// The side to move that tables store.
const STORED: Color = Color::White;

/// One position in so many is also probed, with either side to move.
const PROBED: usize = 10_007;

/// A section as the file has it.
struct Section {
    layout: Layout,
    cells: Cells,
    codes: Vec<Code>,
}

impl Section {
    fn read(table: &TableFile, metric: Metric) -> Option<Section> {
        let section = table.section(metric)?;
        let info = &section.header().info;
        assert_eq!(info.side, STORED);
        let layout =
            Layout::from_bytes(table.material(), Color::White, info.symmetry, &info.order).unwrap();
        Some(Section {
            layout,
            cells: section.decode_all(&|_| {}).unwrap(),
            codes: info.codes.clone(),
        })
    }

    fn code(&self, position: &Position) -> Code {
        let groups = self.layout.groups();
        let kings = [Color::White, Color::Black].map(|color| position.king(color));
        let cell = self.layout.number(kings[0], kings[1], |group| {
            position.men(groups[group].color, groups[group].role)
        });
        self.codes[usize::from(self.cells.get(cell as usize).unwrap())]
    }
}

/// A metric with the section that it is based on: one of the two is there.
struct Stored {
    own: Option<Section>,
    base: Option<Section>,
}

impl Stored {
    fn read(table: &TableFile, metric: Metric) -> Stored {
        let read = |metric| Section::read(table, metric);
        Stored {
            own: read(metric),
            base: metric.base().and_then(read),
        }
    }

    fn value(&self, position: &Position) -> Value {
        let code = |section: &Option<Section>| section.as_ref().unwrap().code(position);
        let code = match &self.own {
            None => code(&self.base),
            Some(own) => match own.code(position) {
                Code::Base => code(&self.base),
                code => code,
            },
        };
        match code.win() {
            None => Value::Draw,
            Some((winner, moves)) => Value::Win(winner, moves.into()),
        }
    }
}

/// What the rules say of these distances with a fresh count, in the words of the rules: a win inside
/// the count is a win, mate that can be forced but not so is a count draw.
fn verdict(mate: Value, honor: Value, turn: Color, available: [Option<u32>; 2]) -> Category {
    match (honor, mate) {
        (Value::Win(winner, moves), _) => {
            let outcome = Outcome::Win { winner, moves };
            category(outcome, turn, available[winner.index()])
        }
        (_, Value::Win(winner, _)) if winner == turn => Category::CursedWin,
        (_, Value::Win(..)) => Category::BlessedLoss,
        _ => Category::Draw,
    }
}

/// Makes the tables of an ending and of all it can become.
fn generate(material: CanonicalMaterial, directory: &Path) {
    let mut library = Library::new();
    // Nothing here is kept, so it need not be small.
    let options = WriteOptions {
        level: 1,
        ..WriteOptions::default()
    };
    for material in material.closure() {
        generate_table(material, directory, &mut library, &options, &|_| {}).unwrap();
    }
}

fn assert_agrees_with_the_naive_twin(name: &str) {
    let material: CanonicalMaterial = name.parse().unwrap();
    assert_eq!(material.to_string(), name);
    let directory = tempfile::tempdir().unwrap();
    generate(material, directory.path());
    let path = directory.path().join(file_name(material));
    let table = TableFile::open_as(&path, material, Access::Read).unwrap();
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory.path()).unwrap();

    let naive_mate = NaiveTable::solve(material, Goal::Mate);
    let stored_mate = Stored::read(&table, Metric::Dtm);
    let honor = RuleSet::ALL.map(|rules| {
        let naive = NaiveTable::solve(material, Goal::Honor(rules));
        let stored = Stored::read(&table, Metric::Dth { rules: rules.id() });
        let available = |turn| {
            let material = material.material();
            Color::ALL.map(|winner| moves_available(rules, material, winner, turn, &Count::Fresh))
        };
        (rules, naive, stored, Color::ALL.map(available))
    });

    let mut compared = 0;
    for (number, squares) in naive_mate.placements().enumerate() {
        let is_probed = number % PROBED == 0;
        for turn in Color::ALL {
            if turn != STORED && !is_probed {
                continue;
            }
            let Some(position) = naive_mate.position(squares.clone(), turn) else {
                continue;
            };
            let mate = naive_mate.value(&squares, turn);
            if turn == STORED {
                compared += 1;
                assert_eq!(stored_mate.value(&position), mate, "{name}: {position:?}");
            }
            for (rules, naive, stored, available) in &honor {
                let context = || format!("{name} {rules}: {position:?}");
                let value = naive.value(&squares, turn);
                let expected = verdict(mate, value, turn, available[turn.index()]);
                if turn == STORED {
                    let found = stored.value(&position);
                    assert_eq!(found, value, "{}", context());
                    let found = verdict(mate, found, turn, available[turn.index()]);
                    assert_eq!(found, expected, "{}", context());
                }
                if is_probed {
                    let probed = tablebase.probe(&position, *rules, &Count::Fresh);
                    let found = probed.unwrap().map(|value| value.category);
                    assert_eq!(found, Some(expected), "{}", context());
                }
            }
        }
    }
    let section = table.section(Metric::Dtm).unwrap();
    let legal = section.header().info.statistics.to_move(STORED).legal();
    assert_eq!(compared, legal, "{name}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn a_rook_against_a_met_is_as_the_naive_twin_has_it() {
    assert_agrees_with_the_naive_twin("KRvKM");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn a_rook_against_a_rook_is_as_the_naive_twin_has_it() {
    assert_agrees_with_the_naive_twin("KRvKR");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn a_knight_against_a_khon_is_as_the_naive_twin_has_it() {
    assert_agrees_with_the_naive_twin("KNvKS");
}
