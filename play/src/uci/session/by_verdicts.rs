//! Answers from verdict tables if distances are missing.

use std::io::{self, Write};
use std::time::Instant;

use super::super::command::Go;
use super::super::tables::ByVerdicts;
use super::super::{display, fallback};
use super::Session;
use sakmak::board::Move;
use sakmak::game::GameState;
use sakmak::probe::BoundedMove;
use sakmak::rules::Category;

impl<W: Write> Session<W> {
    /// Answers from verdict tables alone, with one of the best moves. If there is an engine, the
    /// engine chooses among these moves.
    pub(super) fn go_by_verdicts(
        &mut self,
        go: &Go,
        state: &GameState,
        known: &ByVerdicts,
        chosen: bool,
    ) -> io::Result<()> {
        let warning = self.tables.without_distances.clone();
        match warning.filter(|_| known.missing) {
            Some(warning) => self.out.say_once(&warning)?,
            None => self.out.say_once(&known.why)?,
        }
        if let Some(why) = &known.lacking {
            self.out
                .say_once(&format!("some moves are unknown: {why}"))?;
        }
        let Some(&best) = known.moves.first() else {
            return self.answer(go, "bestmove (none)".to_string());
        };
        let before = match chosen {
            true => "the best of the moves in searchmoves: ",
            false => "",
        };
        self.out
            .say(&format!("{before}{}", display::bounds(&best)))?;
        let as_good =
            |found: &&BoundedMove| (found.bounds, found.fresh) == (best.bounds, best.fresh);
        let moves = known.moves.iter().filter(as_good);
        let mut moves: Vec<Move> = moves.map(|found| found.m).collect();
        let lettering = state.lettering();
        let [least, most] = best.bounds;
        // A known win is better than a move whose value is unknown, and a known loss is worse. Only
        // an engine, which searches, may prefer an unknown move to a draw.
        if most <= Category::BlessedLoss && !known.unknown.is_empty() {
            moves.clone_from(&known.unknown);
        } else if most < Category::Win && self.engine_plays() {
            moves.extend(&known.unknown);
        }
        if self.engine_plays() {
            let names: Vec<String> = moves.iter().map(|m| m.uci(lettering).to_string()).collect();
            let exact = least == most && known.unknown.is_empty();
            self.searched_category = exact.then_some(least);
            return self.search_by_engine(&go.with_searchmoves(&names), moves);
        }
        let progress = match most > Category::Draw {
            true => {
                let deadline = Instant::now() + go.time(state.board.turn());
                let tables = &self.tables;
                tables.progress(
                    &known.question,
                    (&moves, best.fresh),
                    &self.earlier,
                    (deadline, go.nodes()),
                )
            }
            false => fallback::choose(state, &moves),
        };
        let chosen = progress.unwrap_or(moves[0]);
        let score = display::score_of_bounds(&best);
        let name = chosen.uci(lettering);
        self.out
            .line(&format!("info depth 1 score {score} pv {name}"))?;
        self.answer(go, format!("bestmove {name}"))
    }
}
