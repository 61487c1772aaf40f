//! A question about a position, parsed from the parameters of a URL.

use super::question_kind::QuestionKind;
use super::refusal::Refusal;
use sakmak::board::{Fen, Move};
use sakmak::probe::Tablebase;
use sakmak::rules::{NotInTables, ReadError, RuleSet};

/// A position, and optionally a count that replaces the count in its FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position, with the count of the FEN.
    pub fen: Fen,
    /// The rule set.
    pub rules: RuleSet,
    /// The number of moves counted so far.
    pub count: Option<u32>,
    /// The legal move that [`QuestionKind::Why`] asks about.
    pub played: Option<Move>,
    /// The limit of the count in moves. If it is `None`, the men on the board determine the limit.
    pub limit: Option<u32>,
}

impl Question {
    /// Parses the query of a URL: `fen`, with `_` for blanks, `rules`, `count`, `limit` and, for
    /// [`QuestionKind::Why`], `move`. Ignores other parameters.
    ///
    /// # Errors
    ///
    /// If there is no FEN, or a value is invalid.
    pub fn parse(ask: QuestionKind, query: &str) -> Result<Question, Refusal> {
        let (mut fen, mut rules, mut count, mut limit) = (None, None, None, None);
        let mut played = None;
        for (name, value) in parameters(query) {
            let place = match name.as_str() {
                "fen" => &mut fen,
                "rules" => &mut rules,
                "count" => &mut count,
                "limit" => &mut limit,
                "move" if ask == QuestionKind::Why => &mut played,
                _ => continue,
            };
            if place.replace(value).is_some() {
                return Err(Refusal::input(format!(
                    "{name} is given twice: give it once"
                )));
            }
        }
        let rules = match (ask, rules) {
            (QuestionKind::Lila(rules) | QuestionKind::Mainline(rules), _) => rules,
            (_, Some(name)) => name.parse()?,
            (_, None) => RuleSet::Makruk,
        };
        let fen = fen.ok_or_else(|| {
            Refusal::input("no position is given: give its FEN as fen=, with _ for blanks")
        })?;
        let number = |name: &str, value: Option<String>| match value.as_deref() {
            None | Some("") => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| {
                Refusal::input(format!("{name} is {text:?}: give a whole number of moves"))
            }),
        };
        let fen = match ask {
            QuestionKind::Moves => game_fen(rules, &fen)?,
            _ => rules.read_fen(&fen)?,
        };
        Ok(Question {
            fen,
            played: match ask {
                QuestionKind::Why => {
                    Some(legal_move(&fen, rules, played.as_deref().unwrap_or(""))?)
                }
                _ => None,
            },
            rules,
            count: number("count", count)?,
            limit: number("limit", limit)?,
        })
    }

    /// The question in a canonical spelling, for use as a cache key.
    pub fn key(&self) -> String {
        let Question {
            fen,
            rules,
            count,
            limit,
            played,
        } = self;
        let fen = fen.display(rules.lettering());
        format!("{rules} {fen} {count:?} {limit:?} {played:?}")
    }

    /// Returns the FEN with the count that the parameters state.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::with_count`].
    pub fn with_count(&self, tablebase: &Tablebase) -> Result<Fen, Refusal> {
        Ok(tablebase.with_count(&self.fen, self.rules, self.count, self.limit)?)
    }
}

/// Parses the FEN of a position of a game, which may have any number of men. Refuses a bia on a
/// square that it cannot reach.
fn game_fen(rules: RuleSet, text: &str) -> Result<Fen, ReadError> {
    let fen = rules.read_game_fen(text)?;
    match rules.check_fen(&fen) {
        Err(astray @ NotInTables::BiaSquare(..)) => Err(astray.into()),
        _ => Ok(fen),
    }
}

/// Finds the legal move that a UCI text means.
fn legal_move(fen: &Fen, rules: RuleSet, text: &str) -> Result<Move, Refusal> {
    let lettering = rules.lettering();
    let legal = fen.position.legal_moves_in(rules.game());
    let mut moves = legal.iter();
    let found = moves.find(|m| m.uci(lettering).to_string() == text);
    found.copied().ok_or_else(|| {
        Refusal::input(match legal.first() {
            Some(first) => format!(
                "move is {text:?}: give a legal move, such as {}",
                first.uci(lettering)
            ),
            None => "there is no legal move in this position: choose another".to_string(),
        })
    })
}

/// The names and values of a URL query's parameters, in the order of the query.
pub fn parameters(query: &str) -> impl Iterator<Item = (String, String)> + '_ {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(name), decoded(value))
    })
}

/// Decodes the escapes of a URL. Invalid UTF-8 becomes replacement characters.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        rest = match escaped {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                &after[2..]
            }
            None => {
                bytes.push(if *first == b'+' { b' ' } else { *first });
                after
            }
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> Result<Question, String> {
        Question::parse(QuestionKind::Probe, query).map_err(|refusal| refusal.message)
    }

    #[test]
    fn blanks_of_a_fen_are_written_in_any_way() {
        let fens = [
            "8/8/8/3k4/8/3K4/8/8_w",
            "8/8/8/3k4/8/3K4/8/8+w",
            "8%2F8/8/3k4/8/3K4/8/8%20w",
        ];
        let asked = fens.map(|fen| parse(&format!("fen={fen}&x=1")).unwrap());
        assert!(asked.iter().all(|question| *question == asked[0]));
        assert_eq!(asked[0].rules, RuleSet::Makruk);
    }

    #[test]
    fn bad_parameters_are_refused_by_name() {
        assert!(parse("").unwrap_err().contains("fen="));
        let fen = "fen=8/8/8/3k4/8/3K4/8/8_w";
        assert!(
            parse(&format!("{fen}&{fen}"))
                .unwrap_err()
                .contains("twice")
        );
        assert!(
            parse(&format!("{fen}&count=x"))
                .unwrap_err()
                .contains("count")
        );
        assert!(parse(&format!("{fen}&rules=go")).is_err());
        assert!(parse("fen=%zz%f%ff").is_err());
    }
}
