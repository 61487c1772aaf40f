//! Finds a random position of an ending.

use std::ops::RangeInclusive;

use super::answer::json;
use super::refusal::Refusal;
use super::values::{self, CATEGORIES, RANGE, moves_range};
use sakmak::board::{Color, Fen, Position, Role, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::random::Numbers;
use sakmak::rules::{Category, Count, RuleSet, check_bia};

/// The maximum number of positions to try.
const TRIES: u32 = 20_000;

/// A search for a random position, with its criteria.
#[derive(Clone, Debug)]
pub struct RandomSearch {
    ending: CanonicalMaterial,
    rules: RuleSet,
    /// The side to move. If None, either side may be to move.
    turn: Option<Color>,
    /// The category for the side to move. If None, every category is allowed.
    category: Option<Category>,
    /// The range of moves to mate. If None, every position is allowed, even a draw.
    dtm: Option<RangeInclusive<u32>>,
    seed: u64,
}

#[derive(serde::Serialize)]
struct Found {
    fen: String,
    rules: RuleSet,
    seed: u64,
}

impl RandomSearch {
    /// Parses the parameters `ending`, `rules`, `turn` (w or b), `category`, `dtm` and `seed`.
    ///
    /// # Errors
    ///
    /// If there is no ending, or a value is invalid.
    pub fn parse(
        parameters: impl Iterator<Item = (String, String)>,
    ) -> Result<RandomSearch, Refusal> {
        let (mut ending, mut rules) = (None, RuleSet::Makruk);
        let (mut turn, mut category, mut dtm, mut seed) = (None, None, None, None);
        for (name, value) in parameters {
            let bad = |what: &str| Refusal::input(format!("{name} is {value:?}: give {what}"));
            match name.as_str() {
                "ending" => ending = Some(values::ending(&value)?),
                "rules" => rules = value.parse()?,
                "turn" => {
                    turn = match value.as_str() {
                        "w" => Some(Color::White),
                        "b" => Some(Color::Black),
                        "" => None,
                        _ => return Err(bad("w or b")),
                    };
                }
                "category" if !value.is_empty() => {
                    let found = values::category(&value);
                    category = Some(found.ok_or_else(|| bad(CATEGORIES))?);
                }
                "dtm" => dtm = Some(moves_range(&value).ok_or_else(|| bad(RANGE))?),
                "seed" => seed = Some(value.parse().map_err(|_| bad("a whole number"))?),
                _ => {}
            }
        }
        Ok(RandomSearch {
            ending: ending.ok_or_else(|| {
                Refusal::input("no ending is given: add a parameter such as ending=KSMvK")
            })?,
            rules,
            turn,
            category,
            dtm,
            seed: seed.unwrap_or_else(any_seed),
        })
    }

    /// Finds a matching position, and returns its FEN in a JSON object.
    ///
    /// # Errors
    ///
    /// If no position is found, or a table is missing or cannot be used.
    pub fn find(&self, tablebase: &Tablebase) -> Result<String, Refusal> {
        let mut numbers = Numbers::new(self.seed);
        for _ in 0..TRIES {
            let Some(position) = self.place(&mut numbers) else {
                continue;
            };
            let value = tablebase.probe(&position, self.rules, &Count::Fresh)?;
            let length = value.dtm.moves().map(|moves| moves.0.into());
            let dtm_in_range =
                |range: &RangeInclusive<u32>| length.is_some_and(|length| range.contains(&length));
            if self.category.is_none_or(|wanted| value.category == wanted)
                && self.dtm.as_ref().is_none_or(dtm_in_range)
            {
                let fen = Fen::new(position);
                return json(&Found {
                    fen: fen.display(self.rules.lettering()).to_string(),
                    rules: self.rules,
                    seed: self.seed,
                });
            }
        }
        Err(Refusal::not_found(format!(
            "no matching position in {} was found in {TRIES} tries: try another verdict, length or side to move",
            self.ending
        )))
    }

    /// Places the ending's men on random squares. None if the position is illegal.
    fn place(&self, numbers: &mut Numbers) -> Option<Position> {
        let turn = self.turn.unwrap_or(match numbers.next() >> 63 {
            0 => Color::White,
            _ => Color::Black,
        });
        let men = Color::ALL.into_iter().flat_map(|color| {
            let army = self.ending.army(color).men();
            std::iter::once(Role::King)
                .chain(army)
                .map(move |role| (color, role))
        });
        let position = placed(numbers, men, turn)?;
        // Tables store bia only on ranks that a bia can reach.
        check_bia(self.rules, &position).ok()?;
        Some(position)
    }
}

/// Places men on random squares. None if the position is illegal.
pub(super) fn placed(
    numbers: &mut Numbers,
    men: impl Iterator<Item = (Color, Role)>,
    turn: Color,
) -> Option<Position> {
    let placed = men.map(|(color, role)| (square(numbers), color, role));
    Position::from_men(placed.collect::<Vec<_>>(), turn).ok()
}

/// Makes a seed from the clock.
pub(super) fn any_seed() -> u64 {
    #[cfg(not(target_arch = "wasm32"))]
    {
        let now = std::time::SystemTime::now();
        let since = now
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        since.as_nanos() as u64
    }
    #[cfg(target_arch = "wasm32")]
    {
        0
    }
}

fn square(numbers: &mut Numbers) -> Square {
    Square::wrapping((numbers.next() >> 58) as usize)
}
