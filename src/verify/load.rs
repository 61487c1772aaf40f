//! Loads the subendings that captures and promotions lead to.

use super::distances::DistanceList;
use super::grid::{Distance, Grid, NEVER, Wanted};
use super::ply::ply;
use super::source::open_with;
use super::stored::stored;
use super::subendings::{BiaChange, Distances, Ending, Lists, Subendings};
use super::{TableSource, VerifyError};
use crate::board::{Color, Game, Role};
use crate::index::{Group, Layout};
use crate::material::{Army, CanonicalMaterial, MIN_MEN, Material};
use crate::rules::{Count, FIFTY_MOVES_PLIES, RuleSet, moves_available};
use crate::table::Metric;

impl Subendings {
    /// Loads the subendings of a material: the distances with these sides to move (`turns`) of the
    /// wins of these sides (`winners`). `winners` contains only White if all subendings are against
    /// a bare king.
    ///
    /// # Errors
    ///
    /// If a table is missing, corrupt or without results for a rule set that is needed.
    pub fn read(
        material: CanonicalMaterial,
        metric: Metric,
        turns: &[Color],
        winners: &[Color],
        source: &dyn TableSource,
    ) -> Result<Subendings, VerifyError> {
        Subendings::read_some(material, metric, (turns, winners), source, |_| true)
    }

    /// Loads only the subendings after captures without a promotion. `sides` contains the sides to
    /// move and the winners. Endings after promotions can be added with [`Subendings::add`].
    ///
    /// # Errors
    ///
    /// As for [`Subendings::read`].
    pub fn read_captures(
        material: CanonicalMaterial,
        metric: Metric,
        sides: (&[Color], &[Color]),
        source: &dyn TableSource,
    ) -> Result<Subendings, VerifyError> {
        let is_capture = |change: BiaChange| change.promoted.is_none();
        Subendings::read_some(material, metric, sides, source, is_capture)
    }

    /// Loads the subendings after captures of men other than bia, and those after the wanted
    /// changes of the bia.
    fn read_some(
        material: CanonicalMaterial,
        metric: Metric,
        sides: (&[Color], &[Color]),
        source: &dyn TableSource,
        is_wanted: impl Fn(BiaChange) -> bool,
    ) -> Result<Subendings, VerifyError> {
        let (turns, winners) = sides;
        let groups = Layout::groups_of(material);
        let larger = Larger {
            material,
            metric,
            groups: &groups,
            winners,
            source,
        };
        // A capture or a promotion leaves the other side to move.
        let mut endings = Vec::new();
        for group in &groups {
            let rest = without(material.material(), (group.color, group.role));
            endings.push(match turns.contains(&group.color) {
                true => Some(larger.ending(rest, group.color, None)?),
                false => None,
            });
        }
        let mut by_bia = Vec::new();
        let changes = BiaChange::all_of(material.material()).into_iter();
        for change in changes.filter(|&change| is_wanted(change)) {
            let turn = !change.mover();
            if turns.contains(&turn) {
                let rest = change.of(material.material());
                by_bia.push((change, larger.ending(rest, turn, change.promoted)?));
            }
        }
        Ok(Subendings {
            endings,
            by_bia,
            plies: metric.counts_plies(material),
        })
    }

    /// Adds the ending that a change of the bia leads to.
    pub fn add(&mut self, by_bia: (BiaChange, Ending)) {
        self.by_bia.push(by_bia);
    }
}

/// The material without one of its men.
fn without(material: Material, (color, role): (Color, Role)) -> Material {
    let army = material.army(color).without(role).unwrap_or(Army::BARE);
    material.with_army(color, army)
}

impl BiaChange {
    /// All changes of a material's bia that lead to another ending: promotions, and captures of
    /// bia.
    fn all_of(material: Material) -> Vec<BiaChange> {
        let mut all = Vec::new();
        for color in Color::ALL {
            let has_bia = |color: Color| material.army(color).count(Role::Bia) > 0;
            if has_bia(!color) {
                all.push(BiaChange {
                    promoted: None,
                    taken: Some((!color, Role::Bia)),
                });
            }
            if has_bia(color) {
                for &promoted in material.game().promotions() {
                    let taken = material.army(!color).groups();
                    let taken = taken.map(|(role, _)| Some((!color, role)));
                    all.extend(taken.chain([None]).map(|taken| BiaChange {
                        promoted: Some((color, promoted)),
                        taken,
                    }));
                }
            }
        }
        all
    }

    /// The side whose move changes the bia.
    fn mover(self) -> Color {
        let promoted = self.promoted.map(|(color, _)| color);
        let taken = self.taken.map(|(color, _)| !color);
        promoted
            .or(taken)
            .expect("a change is a promotion, a capture, or both")
    }

    /// The material after this change of the bia.
    pub fn of(self, material: Material) -> Material {
        let rest = match self.taken {
            Some(man) => without(material, man),
            None => material,
        };
        match self.promoted {
            Some((color, role)) => {
                let rest = without(rest, (color, Role::Bia));
                rest.with_army(color, rest.army(color).with(role))
            }
            None => rest,
        }
    }
}

/// The ending whose subendings are loaded.
struct Larger<'a> {
    material: CanonicalMaterial,
    metric: Metric,
    groups: &'a [Group],
    /// The sides whose wins are loaded.
    winners: &'a [Color],
    source: &'a dyn TableSource,
}

impl Larger<'_> {
    /// Loads the distances of a subending, with one side to move. `rest` contains its men, in the
    /// colours of the larger ending. After a promotion to `promoted`, computes distances only where
    /// the new man is on a promotion square.
    fn ending(
        &self,
        rest: Material,
        turn: Color,
        promoted: Option<(Color, Role)>,
    ) -> Result<Ending, VerifyError> {
        if rest.men() <= MIN_MEN {
            return Ok(Ending::Kings);
        }
        let has_late_captures =
            self.metric != Metric::Dtm && self.material.material().is_bare_without_bia();
        let (rest, swapped) = rest.canonical();
        let count_start = match self.metric {
            Metric::Dth(rules) if self.material.is_pawnless() && !has_late_captures => {
                rest.is_bare().then_some(CountStart::AtBaring(rules))
            }
            Metric::Dth(rules) if !self.material.is_pawnless() => {
                // In ouk the count goes on while both sides have men.
                let begins = rest.is_pawnless() && (rest.is_bare() || !rules.counts_with_bia());
                begins.then_some(CountStart::AtTheLastBia(rules))
            }
            _ => None,
        };
        let metric = match has_late_captures {
            true => Metric::Dtm,
            false => self.metric,
        };
        let own_color = |color: Color| if swapped { !color } else { color };
        let game = self.material.material().game();
        let subending = Subending {
            material: rest,
            metric,
            count_start,
            turn: own_color(turn),
            promoted: promoted.map(|(color, role)| (own_color(color), role, game)),
        };
        let (grid, lists) = subending.read(swapped, self.winners, self.source)?;
        // With plies, a move of the loser is counted too.
        let in_time_only = matches!(count_start, Some(CountStart::AtTheLastBia(_)))
            && !self.metric.counts_plies(self.material);
        let mut read = Distances::new(grid, lists, self.groups, in_time_only);
        if has_late_captures {
            read.after_late_capture();
        }
        Ok(Ending::Table(Box::new(read)))
    }
}

/// The event that begins a new count. The new count decides which wins are in time.
#[derive(Clone, Copy, Debug)]
enum CountStart {
    /// The capture of a side's last man.
    AtBaring(RuleSet),
    /// The promotion or the capture of the last bia.
    AtTheLastBia(RuleSet),
}

impl Distances {
    /// Replaces each distance to mate, with White to move, by the number of plies that the
    /// fifty-move rule must leave before the bare king's capture that came before. That number is
    /// 100 minus the highest clock before the capture with which the win is still in time. If the
    /// clock is at c plies before the capture, the count is at c + 1 after it, and mate must come
    /// by ply 129 of the count.
    fn after_late_capture(&mut self) {
        let mates_in_time = |clock: u32, moves: u32| clock + 1 + 2 * moves - 1 <= 129;
        self.lists[0][0].change(|moves| match moves {
            // An illegal position.
            0 => 0,
            NEVER => NEVER,
            moves => {
                let last = (0..FIFTY_MOVES_PLIES).rev();
                let last = last
                    .into_iter()
                    .find(|&clock| mates_in_time(clock, moves.into()));
                last.map_or(NEVER, |clock| (FIFTY_MOVES_PLIES - clock) as Distance)
            }
        });
    }
}

/// A subending to load. Its colours are those of its canonical material.
struct Subending {
    material: CanonicalMaterial,
    metric: Metric,
    count_start: Option<CountStart>,
    /// The side to move.
    turn: Color,
    /// The new man after a promotion, and the game of the promoted bia.
    promoted: Option<(Color, Role, Game)>,
}

impl Subending {
    /// The configurations that can follow the promotion: those with the new man on a promotion
    /// square or, since symmetry turns the board, on an image of one.
    fn after_promotion(&self) -> Option<Wanted> {
        let (color, role, game) = self.promoted?;
        let squares = game.promotion_squares(color);
        let is_group = |group: &Group| (group.color, group.role) == (color, role);
        Some(Wanted {
            group: Layout::groups_of(self.material).iter().position(is_group)?,
            squares: Layout::symmetry_of(self.material).images(squares),
        })
    }

    /// Reads the distances of these winners. The winners and the returned distances are in the
    /// colours of the larger ending, which are the opposite ones if `swapped` is true. The colours
    /// are never swapped if `winners` contains only White.
    fn read(
        &self,
        swapped: bool,
        winners: &[Color],
        source: &dyn TableSource,
    ) -> Result<(Grid, Lists), VerifyError> {
        let &Subending {
            material,
            metric,
            count_start,
            turn,
            ..
        } = self;
        let table = match metric {
            Metric::Dtm => source.open(material)?,
            Metric::Dth(rules) => open_with(source, material, rules)?,
        };
        // Against a bare king without bia there are only distances to mate, except where late
        // captures matter: the count and the clock begin together when the last bia goes.
        let by_plies = metric.counts_plies(material)
            && matches!(count_start, Some(CountStart::AtTheLastBia(_)));
        let metric = match material.material().is_bare_without_bia() && !by_plies {
            true => Metric::Dtm,
            false => metric,
        };
        let wanted = self.after_promotion();
        let stored = stored(&table, metric, winners, wanted.as_ref())?;
        let mut lists: Lists = Default::default();
        let needs_other = turn != stored.side;
        // Distances with the side to move that the table lacks are computed by looking one ply
        // ahead, which needs the subendings of this subending.
        let subendings = if needs_other {
            Subendings::read(material, metric, &[stored.side], winners, source)?
        } else {
            Subendings::default()
        };
        let [white, black] = stored.distances;
        for (winner, list) in [(Color::White, white), (Color::Black, black)] {
            if !winners.contains(&winner) {
                continue;
            }
            if needs_other {
                let after = (&list, &subendings);
                let other = ply(&stored.grid, (turn, winner), after, wanted.as_ref());
                lists[turn.index()][winner.index()] = other;
            } else {
                lists[turn.index()][winner.index()] = list;
            }
        }
        if metric == Metric::Dth(RuleSet::Asean) {
            // The capture restarts the fifty-move rule: a win inside the rule's limit remains a
            // win, a longer one does not.
            let most = match metric.counts_plies(material) {
                true => FIFTY_MOVES_PLIES,
                false => FIFTY_MOVES_PLIES / 2,
            };
            for winner in Color::ALL {
                let in_time = Distance::from(turn == winner);
                lists[turn.index()][winner.index()].change(|distance| match distance {
                    // An illegal position.
                    0 if turn == winner => 0,
                    distance if u32::from(distance) <= most => in_time,
                    _ => NEVER,
                });
            }
        }
        let men = material.material();
        let available = |rules, winner| moves_available(rules, men, winner, turn, &Count::Fresh);
        if let Some(CountStart::AtTheLastBia(rules)) = count_start {
            for winner in Color::ALL {
                let most = available(rules, winner);
                let in_time = Distance::from(turn == winner);
                lists[turn.index()][winner.index()].change(|distance| match distance {
                    // An illegal position.
                    0 if turn == winner => 0,
                    distance if most.is_some_and(|most| u32::from(distance) <= most) => in_time,
                    _ => NEVER,
                });
            }
        }
        if let Some(CountStart::AtBaring(rules)) = count_start {
            // The capture of the last man counts as mate if the remaining ending is won inside the
            // new count. Otherwise it does not win. The bare king is to move.
            debug_assert_eq!(turn, Color::Black);
            let winner = Color::White;
            let most = available(rules, winner);
            lists[turn.index()][winner.index()].change(|distance| {
                let wins = distance != NEVER && u32::from(distance) <= most.unwrap_or(u32::MAX);
                if wins { 0 } else { NEVER }
            });
        }
        Ok(match swapped {
            true => of_other_colors(stored.grid, lists, wanted),
            false => (stored.grid, lists),
        })
    }
}

/// Exchanges the colours and reverses the ranks. Then the lanes of the lists are lanes of the
/// larger ending too, so each can be read whole.
fn of_other_colors(from: Grid, lists: Lists, wanted: Option<Wanted>) -> (Grid, Lists) {
    let to = from.of_other_colors();
    let [[a, b], [c, d]] = lists;
    // In the new colours, Black's moves and wins are those that were White's, and vice versa.
    let lists = [[d, c], [b, a]];
    let wanted = wanted.map(|wanted| wanted.of_other_colors());
    let turned = |list: DistanceList| list.of_other_colors(&from, &to, wanted.as_ref());
    let turned = lists.map(|lists| lists.map(turned));
    (to, turned)
}
