//! Forged headers with good checksums, in every build of the reader: each answer is that of the whole
//! table, or an error.

use sakmak::board::{Color, Position};
use sakmak::probe::{Distance, Options, ProbeError, Tablebase};

use super::{SYMBOL_RANKING, ranked};

#[path = "../../fuzz/forge.rs"]
mod forge;

fn answers(bytes: Vec<u8>, positions: &[Position]) -> Vec<Result<Distance, ProbeError>> {
    let options = Options {
        cache_bytes: 1 << 16,
        ..Options::default()
    };
    let mut tablebase = Tablebase::with_options(&options).unwrap();
    tablebase.add_source("KRvK.skm", bytes).unwrap();
    let ask = |position| tablebase.dtm(position);
    positions.iter().map(ask).collect()
}

#[test]
fn forged_headers_give_right_answers_or_errors() {
    let (layout, _) = ranked::section();
    let numbers = (0..layout.cells()).step_by(997);
    let legal = numbers.filter_map(|number| {
        let turn = Color::ALL[number as usize % 2];
        layout.example(number).position(layout.material(), turn)
    });
    let positions: Vec<Position> = legal.collect();
    let whole = answers(SYMBOL_RANKING.to_vec(), &positions);
    let expected: Vec<Distance> = whole.into_iter().map(Result::unwrap).collect();
    let (mut forged, mut right, mut refused) = (0, 0, 0);
    for forgery in forge::forgeries(SYMBOL_RANKING, 1) {
        // This table has no statistics, with which its codes could be compared.
        if forgery.what.contains("of a code") {
            continue;
        }
        forged += 1;
        for (found, expected) in answers(forgery.bytes, &positions)
            .into_iter()
            .zip(&expected)
        {
            match found {
                Ok(found) => {
                    assert_eq!(found, *expected, "{}", forgery.what);
                    right += 1;
                }
                Err(ProbeError::Table(_)) => refused += 1,
                Err(error) => panic!("{}: {error}", forgery.what),
            }
        }
    }
    assert!(
        forged > 500 && right > 0 && refused > 0,
        "{forged} {right} {refused}"
    );
}
