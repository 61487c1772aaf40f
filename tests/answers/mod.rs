//! Files of positions and their answers, one a line: `tests/golden/answers.csv` and
//! `tests/golden/answers-with-bia.csv`. Every reader of tables must give these answers.

mod choose;

use std::fmt;

use sakmak::board::{Color, Fen};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, DistanceAnswer, Tablebase};
use sakmak::rules::{Category, RuleSet};

pub use choose::{Most, choose};

/// The fields of a line. An absent value is empty.
const FIELDS: &str = "rules,fen,category,dtm,dth,limit,moves_available,best";

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Golden {
    pub rules: RuleSet,
    pub fen: String,
    pub category: Category,
    pub dtm: Option<u32>,
    pub dth: Option<u32>,
    pub limit: Option<u32>,
    pub moves_available: Option<u32>,
    /// The move ranked first; empty if the side to move is mated or stalemated.
    pub best: String,
}

impl Golden {
    fn new(answer: &DistanceAnswer) -> Golden {
        let moves = |distance: Distance| distance.moves().map(|moves| u32::from(moves.0));
        let allowance = answer.value.allowance;
        Golden {
            rules: answer.rules,
            fen: answer.fen.display(answer.rules.lettering()).to_string(),
            category: answer.value.category,
            dtm: moves(answer.value.dtm),
            dth: answer.value.dth.and_then(moves),
            limit: allowance.map(|allowance| allowance.limit),
            moves_available: allowance.map(|allowance| allowance.moves_available),
            best: answer.moves.first().map_or(String::new(), |ranked| {
                ranked.m.uci(answer.rules.lettering()).to_string()
            }),
        }
    }

    fn parse(line: &str) -> Golden {
        let fields: Vec<&str> = line.split(',').collect();
        let [rules, fen, category, dtm, dth, limit, moves_available, best] = fields[..] else {
            panic!("{line}");
        };
        let number = |text: &str| (!text.is_empty()).then(|| text.parse().unwrap());
        let mut categories = Category::ALL.into_iter();
        Golden {
            rules: rules.parse().unwrap(),
            fen: fen.to_string(),
            category: categories.find(|of| of.to_string() == category).unwrap(),
            dtm: number(dtm),
            dth: number(dth),
            limit: number(limit),
            moves_available: number(moves_available),
            best: best.to_string(),
        }
    }

    pub fn fen(&self) -> Fen {
        self.rules.read_fen(&self.fen).unwrap()
    }

    pub fn material(&self) -> CanonicalMaterial {
        self.fen().position.material().canonical().0
    }
}

impl fmt::Display for Golden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |n: Option<u32>| n.map_or(String::new(), |n| n.to_string());
        let fields = [
            self.rules.to_string(),
            self.fen.clone(),
            self.category.to_string(),
            number(self.dtm),
            number(self.dth),
            number(self.limit),
            number(self.moves_available),
            self.best.clone(),
        ];
        write!(f, "{}", fields.join(","))
    }
}

/// The lines of a file.
pub fn parse(file: &str) -> Vec<Golden> {
    let mut lines = file.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some(FIELDS));
    lines.map(Golden::parse).collect()
}

/// Writes a file of `tests/golden`, with the comment that the old one begins with.
pub fn write(name: &str, old: &str, lines: &[Golden]) {
    let comment = old.lines().take_while(|line| line.starts_with('#'));
    let mut text: Vec<String> = comment.map(str::to_string).collect();
    text.push(FIELDS.to_string());
    text.extend(lines.iter().map(Golden::to_string));
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::write(path, text.join("\n") + "\n").unwrap();
}

/// Asserts that tables give every answer of a file.
pub fn assert_answered(tablebase: &Tablebase, lines: &[Golden]) {
    for golden in lines {
        let answer = tablebase
            .answer(&golden.fen(), golden.rules)
            .unwrap()
            .with_distances()
            .unwrap();
        assert_eq!(&Golden::new(&answer), golden);
        // A search asks for the category alone.
        let Fen { position, .. } = golden.fen();
        let count = sakmak::rules::Count::from_fen(&golden.fen());
        let category = tablebase.category(&position, golden.rules, &count);
        assert_eq!(category.unwrap(), golden.category, "{golden}");
    }
}

/// The category of a position whose winner, if nothing is counted, mates in time or too late.
pub fn category(turn: Color, winner: Option<Color>, in_time: bool) -> Category {
    match (winner.map(|winner| winner == turn), in_time) {
        (None, _) => Category::Draw,
        (Some(true), true) => Category::Win,
        (Some(true), false) => Category::CursedWin,
        (Some(false), true) => Category::Loss,
        (Some(false), false) => Category::BlessedLoss,
    }
}
