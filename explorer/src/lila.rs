//! JSON responses compatible with lila's tablebase server. Clients of that server only have to
//! change its address. Distances are plies with a sign. The category and the distances of a move
//! are those of the position after it, for the opponent.

use serde::Serialize;

use sakmak::board::{Fen, Role};
use sakmak::probe::{
    BoundedMove, CategoryAnswer, Distance, DistanceAnswer, Line, Moves, RankedMove,
};
use sakmak::rules::{Allowance, Category, RuleSet};

/// The fields of a position, which occur both for the requested position and for the positions
/// after its moves.
#[derive(Serialize)]
struct Standing {
    category: &'static str,
    dtm: Option<i32>,
    dth: Option<i32>,
    // Always null, like the next three fields: the tables have no distances of these kinds.
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    dtc: Option<i32>,
    dtw: Option<i32>,
    checkmate: bool,
    stalemate: bool,
    variant_win: bool,
    variant_loss: bool,
    insufficient_material: bool,
}

#[derive(Serialize)]
pub(super) struct Document {
    #[serde(flatten)]
    standing: Standing,
    rules: RuleSet,
    count: Option<Allowance>,
    moves: Vec<MoveDocument>,
}

#[derive(Serialize)]
struct MoveDocument {
    uci: String,
    san: String,
    zeroing: bool,
    conversion: bool,
    #[serde(flatten)]
    standing: Standing,
}

/// Makes lila's JSON response for a position.
pub(super) fn document(answer: &DistanceAnswer) -> Document {
    let position = &answer.fen.position;
    let lettering = answer.rules.lettering();
    let move_document = |ranked: &RankedMove| {
        let next = position.play(ranked.m);
        let changes_men = ranked.capture || ranked.m.promotion.is_some();
        MoveDocument {
            uci: ranked.m.uci(lettering).to_string(),
            san: position.san(ranked.m, lettering),
            zeroing: ranked.capture || position.by_role(Role::Bia).contains(ranked.m.from),
            conversion: changes_men,
            standing: Standing {
                checkmate: ranked.checkmate,
                stalemate: next.is_stalemate(),
                insufficient_material: answer.rules.is_insufficient(next.material()),
                ..standing(
                    (-ranked.category).name(),
                    after_move(ranked.dtm),
                    ranked.dth.map(after_move),
                )
            },
        }
    };
    Document {
        standing: Standing {
            checkmate: answer.checkmate(),
            stalemate: answer.stalemate(),
            insufficient_material: answer.insufficient_material,
            ..standing(
                answer.value.category.name(),
                answer.value.dtm,
                answer.value.dth,
            )
        },
        rules: answer.rules,
        count: answer.value.allowance,
        moves: answer.moves.iter().map(move_document).collect(),
    }
}

/// Makes lila's JSON response for a position whose verdict is known but whose distance is not.
pub(super) fn by_category(answer: &CategoryAnswer) -> Document {
    let position = &answer.fen.position;
    let lettering = answer.rules.lettering();
    let move_document = |found: &BoundedMove| {
        let next = position.play(found.m);
        let capture = position.is_capture(found.m);
        let changes_men = capture || found.m.promotion.is_some();
        let [least, most] = found.bounds;
        MoveDocument {
            uci: found.m.uci(lettering).to_string(),
            san: position.san(found.m, lettering),
            zeroing: capture || position.by_role(Role::Bia).contains(found.m.from),
            conversion: changes_men,
            standing: Standing {
                checkmate: next.is_checkmate(),
                stalemate: next.is_stalemate(),
                insufficient_material: answer.rules.is_insufficient(next.material()),
                ..without_distances([-most, -least])
            },
        }
    };
    let moves = answer.moves.iter().map(move_document);
    Document {
        standing: Standing {
            checkmate: position.is_checkmate(),
            stalemate: position.is_stalemate(),
            insufficient_material: answer.insufficient_material,
            ..without_distances(answer.bounds)
        },
        rules: answer.rules,
        count: answer.allowance,
        moves: moves.collect(),
    }
}

/// Determines lila's category from the lowest and the highest possible category. If it is uncertain
/// whether a win is inside the count, the category is lila's `maybe-win` or `maybe-loss`.
fn without_distances(bounds: [Category; 2]) -> Standing {
    let category = match bounds {
        [Category::CursedWin, Category::Win] => "maybe-win",
        [Category::Loss, Category::BlessedLoss] => "maybe-loss",
        [category, _] => category.name(),
    };
    standing(category, Distance::Draw, None)
}

fn standing(category: &'static str, dtm: Distance, dth: Option<Distance>) -> Standing {
    Standing {
        category,
        dtm: plies(dtm),
        dth: dth.and_then(plies),
        dtz: None,
        precise_dtz: None,
        dtc: None,
        dtw: None,
        checkmate: false,
        stalemate: false,
        variant_win: false,
        variant_loss: false,
        insufficient_material: false,
    }
}

/// Converts the distance of a move to that of the position after it, for the opponent.
fn after_move(distance: Distance) -> Distance {
    match distance {
        Distance::Win(Moves(moves)) => Distance::Loss(Moves(moves.saturating_sub(1))),
        Distance::Draw => Distance::Draw,
        Distance::Loss(moves) => Distance::Win(moves),
    }
}

/// Converts a distance to plies. The number is positive if the side to move wins. None for a draw.
fn plies(distance: Distance) -> Option<i32> {
    match distance {
        Distance::Win(Moves(moves)) => Some(2 * i32::from(moves) - 1),
        Distance::Draw => None,
        Distance::Loss(Moves(moves)) => Some(-2 * i32::from(moves)),
    }
}

#[derive(Serialize)]
pub(super) struct MainlineDocument {
    mainline: Vec<LineMove>,
    winner: Option<&'static str>,
    dtm: Option<i32>,
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    fen: String,
    rules: RuleSet,
}

#[derive(Serialize)]
struct LineMove {
    uci: String,
    san: String,
    dtm: Option<i32>,
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    counted: Option<u32>,
}

/// Makes lila's JSON response with the best line.
pub(super) fn mainline(fen: &Fen, rules: RuleSet, line: &Line) -> MainlineDocument {
    let lettering = rules.lettering();
    let moves = line.moves.iter().map(|played| LineMove {
        uci: played.m.uci(lettering).to_string(),
        san: played.before.san(played.m, lettering),
        dtm: plies(after_move(played.dtm)),
        dtz: None,
        precise_dtz: None,
        counted: played.counted,
    });
    MainlineDocument {
        mainline: moves.collect(),
        winner: match line.result() {
            "1-0" => Some("w"),
            "0-1" => Some("b"),
            _ => None,
        },
        dtm: line.moves.first().and_then(|played| plies(played.dtm)),
        dtz: None,
        precise_dtz: None,
        fen: line.last_fen(fen).display(lettering).to_string(),
        rules,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_those_of_both_sides() {
        let win = |moves| Distance::Win(Moves(moves));
        let loss = |moves| Distance::Loss(Moves(moves));
        assert_eq!(plies(win(1)), Some(1));
        assert_eq!(plies(win(15)), Some(29));
        assert_eq!(plies(loss(0)), Some(0));
        assert_eq!(plies(loss(15)), Some(-30));
        assert_eq!(plies(after_move(win(16))), Some(-30));
        assert_eq!(plies(after_move(loss(3))), Some(5));
        assert_eq!(plies(after_move(Distance::Draw)), None);
    }
}
