//! The lines of play that are sent with an answer.

use std::time::Instant;

use sakmak::board::Move;
use sakmak::probe::{Distance, Moves};
use sakmak::rules::Category;

use super::options::CountMode;
use super::score;
use super::tables::{Known, Question, Ranked, Tables};

/// A move, and the line of play that begins with it.
pub(super) struct Variation {
    pub ranked: Ranked,
    /// The moves of the line. The first one is the move in `ranked`.
    pub moves: Vec<Move>,
    /// True if the line ends with mate.
    pub mates: bool,
}

/// The work spent on computing the lines.
#[derive(Default)]
pub(super) struct Effort {
    pub nodes: u64,
    pub probes: u64,
}

/// Computes the line that begins with a move: best play by both sides, as far as the time limit
/// allows.
pub(super) fn variation(
    tables: &Tables,
    known: &Known,
    ranked: &Ranked,
    deadline: Instant,
    effort: &mut Effort,
) -> Variation {
    let mut variation = Variation {
        ranked: *ranked,
        moves: vec![ranked.m],
        mates: false,
    };
    let mut next = Tables::next(&known.question, ranked);
    while let Some(question) = next {
        if Instant::now() >= deadline && !is_mate(&question) {
            break;
        }
        let Ok(moves) = tables.moves(&question) else {
            break;
        };
        effort.nodes += 1;
        effort.probes += moves.len() as u64;
        let Some(best) = moves.first() else {
            variation.mates = question.position.is_check();
            break;
        };
        let turn = question.position.turn();
        let winner_to_move = best.dtm.winner(turn).is_none_or(|winner| winner == turn);
        if question.mode != CountMode::Off && question.count.is_over(question.rules, winner_to_move)
        {
            break;
        }
        variation.moves.push(best.m);
        next = Tables::next(&question, best);
    }
    if variation.moves.len() == 1 && !variation.mates {
        // The expected reply is added, for pondering.
        variation.moves.extend(reply(tables, known, ranked));
    }
    variation
}

fn is_mate(question: &Question) -> bool {
    question.position.is_checkmate()
}

/// The best reply to a move, for a line of play that consists of this move only.
fn reply(tables: &Tables, known: &Known, ranked: &Ranked) -> Option<Move> {
    let mut question = known.question;
    question.position = question.position.play(ranked.m);
    question.mode = CountMode::Off;
    let moves = tables.moves(&question).ok()?;
    moves.first().map(|ranked| ranked.m)
}

impl Variation {
    /// The score as UCI writes it. It is a mate score only if mate comes inside the count in as many
    /// moves as the distance to mate says. If the distance to honor decides, best play may take
    /// longer to mate, so the score is a hundred bia less a hundredth for each move to honor.
    pub fn score(&self) -> String {
        let Ranked {
            category, dtm, dth, ..
        } = self.ranked;
        let mates = |moves: u16| {
            let shown = match category {
                Category::Loss => self.moves.len() / 2,
                _ => self.moves.len().div_ceil(2),
            };
            self.ranked.against_bare_king || (self.mates && shown == usize::from(moves))
        };
        let honor = || dth.and_then(Distance::moves).map_or(0, |moves| moves.0);
        match (category, dtm) {
            (Category::Win, Distance::Win(Moves(moves))) if mates(moves) => {
                format!("mate {moves}")
            }
            (Category::Loss, Distance::Loss(Moves(moves))) if mates(moves) => {
                format!("mate -{moves}")
            }
            (Category::Win, _) => format!("cp {}", 10_000 - i32::from(honor())),
            (Category::Loss, _) => format!("cp {}", i32::from(honor()) - 10_000),
            (drawn, _) => score::of_draw(drawn).unwrap_or_default().to_string(),
        }
    }

    /// The chances of win, draw and loss in thousandths, as UCI writes them.
    pub fn wdl(&self) -> &'static str {
        match self.ranked.category {
            Category::Win => "1000 0 0",
            Category::Loss => "0 0 1000",
            _ => "0 1000 0",
        }
    }
}
