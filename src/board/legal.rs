//! Legal moves of a position.

use std::ops::ControlFlow;

use super::{Game, Move, MoveList, Position, Role, Square, SquareSet, attacks};

impl Position {
    /// All legal moves. They are sorted by role, in the order of [`Role::ALL`], then by origin
    /// square, then by target square. Bia promote as in makruk.
    pub fn legal_moves(&self) -> MoveList {
        self.legal_moves_in(Game::Makruk)
    }

    /// Like [`Position::legal_moves`], but of this game.
    pub fn legal_moves_in(&self, game: Game) -> MoveList {
        let mut list = MoveList::new();
        let _: ControlFlow<()> = self.visit_legal_moves_in(game, |m, _| {
            list.push(m);
            ControlFlow::Continue(())
        });
        list
    }

    /// Calls `visit` with each legal move and the role of the moving man, until `visit` breaks. The
    /// moves come in the order of [`Position::legal_moves`], and no list of them is stored.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sakmak::board::{Fen, Lettering, Role};
    ///
    /// let position = Fen::parse("8/8/8/3k4/8/3K4/2S5/8 w", Lettering::Makruk)?.position;
    /// let khon = position.visit_legal_moves(|m, role| match role {
    ///     Role::Khon => ControlFlow::Break(m.to_string()),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert_eq!(khon, ControlFlow::Break("c2b1".to_string()));
    /// # Ok::<(), sakmak::board::FenError>(())
    /// ```
    #[inline]
    pub fn visit_legal_moves<B>(
        &self,
        visit: impl FnMut(Move, Role) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_legal_moves_in(Game::Makruk, visit)
    }

    /// Like [`Position::visit_legal_moves`], but of this game.
    pub fn visit_legal_moves_in<B>(
        &self,
        game: Game,
        mut visit: impl FnMut(Move, Role) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.turn();
        let ours = self.by_color(us);
        let king = self.king(us);
        for to in self.safe_steps(king) {
            visit(Move::new(king, to), Role::King)?;
        }
        // A man other than the king may capture the checker or step between it and the king. In
        // double check only the king can move.
        let checkers = self.attackers(king, !us);
        let answers = match checkers.first() {
            None => SquareSet::ALL,
            Some(checker) if checkers.len() == 1 => checkers | attacks::between(king, checker),
            Some(_) => return ControlFlow::Continue(()),
        };
        let rooks = self.men(!us, Role::Rook) & attacks::rook(king, SquareSet::EMPTY);
        let unpinned = |from: Square, mut reached: SquareSet| {
            for rook in rooks {
                // If a man is the only one between its king and a rook, it must stay on the line or
                // capture the rook.
                let between = attacks::between(king, rook);
                if between & self.occupied() == from.set() {
                    reached &= between.with(rook);
                }
            }
            reached
        };
        for role in Role::PAWNLESS {
            for from in self.men(us, role) {
                let reached = attacks::attacks(role, us, from, self.occupied()) & !ours & answers;
                for to in unpinned(from, reached) {
                    visit(Move::new(from, to), role)?;
                }
            }
        }
        for from in self.men(us, Role::Bia) {
            for to in unpinned(from, self.bia_moves(from) & answers) {
                let m = Move::new(from, to);
                if !game.promotes(us, to) {
                    visit(m, Role::Bia)?;
                    continue;
                }
                for &role in game.promotions() {
                    let promotion = Some(role);
                    visit(Move { promotion, ..m }, Role::Bia)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The squares to which a bia of the side to move can go. Moves that leave the king in check
    /// are included.
    fn bia_moves(&self, from: Square) -> SquareSet {
        let us = self.turn();
        let taken = attacks::attacks(Role::Bia, us, from, self.occupied()) & self.by_color(!us);
        taken | (attacks::bia_step(us, from) & !self.occupied())
    }

    /// The squares to which the king of the side to move can go without being in check there.
    fn safe_steps(&self, king: Square) -> SquareSet {
        let us = self.turn();
        let mut steps = attacks::king(king) & !self.by_color(us);
        // The king is removed from the board, since it does not shield the squares behind it from a
        // rook's check.
        let others = self.occupied().without(king);
        for role in Role::ALL {
            for from in self.men(!us, role) {
                steps &= !attacks::attacks(role, !us, from, others);
            }
        }
        steps
    }

    /// True if the king of the side to move is not attacked after the move. `role` is the role of
    /// the moving man.
    pub(crate) fn is_safe(&self, m: Move, role: Role) -> bool {
        let us = self.turn();
        let king = match role {
            Role::King => m.to,
            _ => self.king(us),
        };
        let occupied = self.occupied().without(m.from).with(m.to);
        self.attackers_through(king, !us, occupied)
            .without(m.to)
            .is_empty()
    }

    /// True if the move is legal. Bia promote as in makruk.
    pub fn is_legal(&self, m: Move) -> bool {
        self.is_legal_in(Game::Makruk, m)
    }

    /// Like [`Position::is_legal`], but in this game.
    pub fn is_legal_in(&self, game: Game, m: Move) -> bool {
        let Some((color, role)) = self.man_at(m.from) else {
            return false;
        };
        let reached = match role {
            _ if color != self.turn() => return false,
            Role::Bia => self.bia_moves(m.from),
            _ => attacks::attacks(role, color, m.from, self.occupied()) & !self.by_color(color),
        };
        let promotion_is_legal = match m.promotion {
            None => role != Role::Bia || !game.promotes(color, m.to),
            Some(to) => {
                let due = role == Role::Bia && game.promotes(color, m.to);
                due && game.promotions().contains(&to)
            }
        };
        reached.contains(m.to) && promotion_is_legal && self.is_safe(m, role)
    }

    /// The position after a legal move.
    ///
    /// The move must be one of [`Position::legal_moves`]. This is not checked: an illegal move
    /// makes an illegal position, but no panic. Check untrusted moves with [`Position::is_legal`]
    /// first.
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        self.after(m.from, m.to, m.promotion)
    }

    /// True if the move captures a man.
    pub fn is_capture(&self, m: Move) -> bool {
        self.by_color(!self.turn()).contains(m.to)
    }

    /// True if the side to move has no legal move.
    pub(crate) fn is_stuck(&self) -> bool {
        self.visit_legal_moves(|_, _| ControlFlow::Break(()))
            .is_continue()
    }

    /// True if the side to move is in check and has no legal move.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.is_stuck()
    }

    /// True if the side to move is not in check and has no legal move, which is a draw.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && self.is_stuck()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Color, arbitrary};
    use super::*;
    use proptest::prelude::*;

    fn position(men: &[(&str, Color, Role)], turn: Color) -> Position {
        let men = men
            .iter()
            .map(|&(name, color, role)| (name.parse().unwrap(), color, role));
        Position::from_men(men, turn).unwrap()
    }

    fn names(position: &Position) -> Vec<String> {
        let mut names: Vec<_> = position.legal_moves().iter().map(Move::to_string).collect();
        names.sort();
        names
    }

    /// A king in each corner, and other men.
    fn between_kings(men: &[(&str, Color, Role)], turn: Color) -> Position {
        let kings = [("a1", White, King), ("h8", Black, King)];
        position(&[&kings, men].concat(), turn)
    }

    fn bia_moves(position: &Position, game: Game) -> Vec<String> {
        let moves = position.legal_moves_in(game);
        let of_bia = |m: &&Move| position.by_role(Bia).contains(m.from);
        let names = moves.iter().filter(of_bia);
        let mut names: Vec<_> = names.map(|m| m.uci(game.lettering()).to_string()).collect();
        names.sort();
        names
    }

    use Color::{Black, White};
    use Role::{Bia, Khon, King, Knight, Met, Rook};

    #[test]
    fn a_pinned_man_moves_only_along_its_pin() {
        let pinned = |role| {
            position(
                &[
                    ("a1", White, King),
                    ("c1", White, role),
                    ("e1", Black, Rook),
                    ("h8", Black, King),
                ],
                White,
            )
        };
        assert_eq!(names(&pinned(Khon)), ["a1a2", "a1b1", "a1b2"]);
        assert_eq!(
            names(&pinned(Rook)),
            ["a1a2", "a1b1", "a1b2", "c1b1", "c1d1", "c1e1"]
        );
    }

    #[test]
    fn a_king_does_not_step_back_along_the_line_of_the_check() {
        let checked = position(
            &[
                ("b1", White, King),
                ("d1", Black, Rook),
                ("h8", Black, King),
            ],
            White,
        );
        assert_eq!(names(&checked), ["b1a2", "b1b2", "b1c2"]);
    }

    #[test]
    fn mate_and_stalemate_are_told_apart() {
        let corner = |black: &'static str| {
            position(
                &[
                    (black, Black, King),
                    ("b6", White, King),
                    ("h8", White, Rook),
                ],
                Black,
            )
        };
        assert!(corner("b8").is_checkmate() && !corner("b8").is_stalemate());
        let stuck = position(
            &[
                ("a8", Black, King),
                ("b6", White, King),
                ("a6", White, Met),
                ("c6", White, Knight),
            ],
            Black,
        );
        assert!(stuck.is_stalemate() && !stuck.is_checkmate());
        assert!(stuck.legal_moves().is_empty());
    }

    #[test]
    fn a_bia_steps_forward_takes_diagonally_and_is_promoted() {
        let makruk = |men: &[(&str, Color, Role)], turn| {
            let position = between_kings(men, turn);
            bia_moves(&position, Game::Makruk)
        };
        assert_eq!(makruk(&[("c3", White, Bia)], White), ["c3c4"]);
        assert_eq!(makruk(&[("f6", Black, Bia)], Black), ["f6f5"]);
        // Two bia that block each other.
        let face = [("c4", White, Bia), ("c5", Black, Bia)];
        assert!(makruk(&face, White).is_empty() && makruk(&face, Black).is_empty());
        let takes = [
            ("c4", White, Bia),
            ("b5", Black, Knight),
            ("d5", Black, Bia),
            ("d3", Black, Met),
        ];
        assert_eq!(makruk(&takes, White), ["c4b5", "c4c5", "c4d5"]);
        // Promotions on the sixth rank, by a step and by a capture.
        let promoted = [("c5", White, Bia), ("d6", Black, Bia)];
        assert_eq!(makruk(&promoted, White), ["c5c6m", "c5d6m"]);
        assert_eq!(makruk(&[("f4", Black, Bia)], Black), ["f4f3m"]);
        let asean = between_kings(&[("c5", White, Bia), ("e7", White, Bia)], White);
        assert_eq!(
            bia_moves(&asean, Game::Asean),
            ["c5c6", "e7e8b", "e7e8n", "e7e8q", "e7e8r"]
        );
    }

    #[test]
    fn a_pinned_bia_moves_only_along_its_pin() {
        let pinned = |rook| {
            let men = [
                ("d2", White, King),
                ("d4", White, Bia),
                (rook, Black, Rook),
                ("e5", Black, Knight),
                ("h8", Black, King),
            ];
            bia_moves(&position(&men, White), Game::Makruk)
        };
        assert_eq!(pinned("d8"), ["d4d5"]);
        assert_eq!(pinned("d5"), Vec::<String>::new());
        assert_eq!(pinned("a8"), ["d4d5", "d4e5"]);
    }

    #[test]
    fn a_promoted_bia_is_a_met_and_may_give_check_as_one() {
        let before = position(
            &[
                ("a1", White, King),
                ("d5", White, Bia),
                ("e7", Black, King),
                ("e6", Black, Rook),
            ],
            White,
        );
        let m: Move = "d5d6m".parse().unwrap();
        let after = before.play(m);
        assert_eq!(after.man_at(m.to), Some((White, Met)));
        assert!(after.is_pawnless() && after.is_check());
        assert!(!before.is_legal(Move::new(m.from, m.to)));
        assert!(!before.is_legal_in(Game::Asean, m));
        assert_eq!(before.play("d5e6m".parse().unwrap()).occupied().len(), 3);
    }

    #[test]
    fn a_move_list_holds_the_moves_of_sixteen_rooks() {
        let mut men = vec![("e8", Black, King)];
        let names: Vec<String> = Square::all().map(|square| square.to_string()).collect();
        let rooks = [
            "a1", "b3", "c5", "d2", "f4", "g6", "h7", "a6", "b2", "c4", "d1", "f3", "g5", "h2",
            "c7",
        ];
        men.extend(rooks.map(|name| (name, White, Rook)));
        men.push(("e1", White, King));
        let position = position(&men, White);
        let moves = position.legal_moves();
        let count = names
            .iter()
            .flat_map(|from| names.iter().map(move |to| (from, to)));
        let legal = count.filter(|(from, to)| {
            let squares = (from.parse(), to.parse());
            matches!(squares, (Ok(from), Ok(to)) if position.is_legal(Move::new(from, to)))
        });
        assert_eq!(moves.len(), legal.count());
    }

    #[test]
    fn a_capture_takes_the_man_off_the_board() {
        let before = position(
            &[
                ("a1", White, King),
                ("d4", White, Met),
                ("e5", Black, Rook),
                ("h8", Black, King),
            ],
            White,
        );
        let m: Move = "d4e5".parse().unwrap();
        assert!(before.is_capture(m) && before.is_legal(m));
        let after = position(
            &[("a1", White, King), ("e5", White, Met), ("h8", Black, King)],
            Black,
        );
        assert_eq!(before.play(m), after);
    }

    proptest! {
        #[test]
        fn every_legal_move_leads_to_a_legal_position(position in arbitrary::position()) {
            for m in position.legal_moves() {
                let next = position.play(m);
                let again = Position::new(
                    Color::ALL.map(|color| next.by_color(color)),
                    Role::ALL.map(|role| next.by_role(role)),
                    next.turn(),
                );
                prop_assert_eq!(again, Ok(next));
                prop_assert_eq!(next.turn(), !position.turn());
                let taken = usize::from(position.is_capture(m));
                prop_assert_eq!(next.occupied().len() + taken, position.occupied().len());
            }
        }

        #[test]
        fn the_legal_moves_of_a_symmetry_are_the_symmetries_of_the_legal_moves(position in arbitrary::position()) {
            let sorted = |position: &Position, turn: fn(Square) -> Square| {
                let mut moves: Vec<_> = position
                    .legal_moves()
                    .into_iter()
                    .map(|m| Move { from: turn(m.from), to: turn(m.to), ..m })
                    .collect();
                moves.sort();
                moves
            };
            let plain = sorted(&position, |square| square);
            prop_assert_eq!(&sorted(&position.mirrored(), Square::flip_horizontal), &plain);
            prop_assert_eq!(&sorted(&position.flipped(), Square::flip_vertical), &plain);
        }

        #[test]
        fn a_move_is_legal_exactly_if_it_is_listed(position in arbitrary::position()) {
            let moves = position.legal_moves();
            for from in Square::all() {
                for to in Square::all() {
                    for promotion in [None, Some(Met), Some(Bia)] {
                        let m = Move { from, to, promotion };
                        prop_assert_eq!(position.is_legal(m), moves.contains(&m));
                    }
                }
            }
        }
    }
}
