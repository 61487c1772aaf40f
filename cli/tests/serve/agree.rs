//! HTTP, the command line and the library give the same answers.

use assert_cmd::Command;
use sakmak::board::{Color, Fen, Position, Role, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::RuleSet;

use crate::client::{SETS, Served, tablebase, tables};
use crate::command::program_with;

/// Random numbers by SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn position(&mut self, material: CanonicalMaterial) -> Option<Position> {
        let men = Color::ALL.into_iter().flat_map(|color| {
            let army = material.army(color).men();
            std::iter::once(Role::King)
                .chain(army)
                .map(move |role| (color, role))
        });
        let placed: Vec<_> = men
            .map(|(color, role)| (Square::wrapping(self.below(64) as usize), color, role))
            .collect();
        let turn = Color::ALL[self.below(2) as usize];
        let position = Position::from_men(placed, turn).ok()?;
        Some(if self.below(2) == 0 {
            position
        } else {
            position.flipped()
        })
    }

    /// A position, mostly with a count that can run in it.
    fn fen(&mut self, tablebase: &Tablebase, rules: RuleSet) -> String {
        loop {
            let material = SETS[self.below(SETS.len() as u64) as usize]
                .parse()
                .unwrap();
            let Some(position) = self.position(material) else {
                continue;
            };
            let fen = Fen::new(position);
            let number = (self.below(4) > 0).then(|| self.below(64) as u32);
            if let Ok(fen) = tablebase.with_count(&fen, rules, number, None) {
                return fen.display(rules.lettering()).to_string();
            }
        }
    }
}

#[test]
fn ten_thousand_positions_are_answered_alike() {
    let tablebase = tablebase(tables());
    let served = Served::shared();
    let mut numbers = Numbers(2026);
    for (rules, batches) in [(RuleSet::Makruk, 4), (RuleSet::Asean, 3), (RuleSet::Ouk, 3)] {
        let fens: Vec<String> = (0..1000 * batches)
            .map(|_| numbers.fen(&tablebase, rules))
            .collect();
        let library = fens.iter().map(|fen| {
            let fen = Fen::parse(fen, rules.lettering()).unwrap();
            let answer = tablebase
                .answer(&fen, rules)
                .unwrap()
                .with_distances()
                .unwrap();
            serde_json::to_string(&answer.document()).unwrap()
        });
        let library: Vec<String> = library.collect();
        let lines = fens.join("\n");
        let program = Command::from_std(program_with(tables()))
            .args(["probe", "-", "--json", "--rules", rules.name()])
            .write_stdin(lines.clone())
            .output()
            .unwrap();
        assert!(program.status.success());
        let program = String::from_utf8(program.stdout).unwrap();
        assert_eq!(
            program.lines().collect::<Vec<_>>(),
            library,
            "the command line"
        );
        let chunks = fens.chunks(1000).map(|chunk| {
            let path = format!("/v1/probe?rules={rules}");
            let reply = served.ask("POST", &path, &[], chunk.join("\n").as_bytes());
            reply.text().to_string()
        });
        let posted: String = chunks.collect();
        assert_eq!(posted.lines().collect::<Vec<_>>(), library, "many at once");
        for (fen, expected) in fens.iter().zip(&library).step_by(20) {
            let fen = fen.replace(' ', "_");
            let reply = served.get(&format!("/v1/probe?fen={fen}&rules={rules}"));
            assert_eq!(reply.text().trim_end(), expected, "one by one");
        }
    }
}
