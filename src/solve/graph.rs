//! Placement graphs: the moves of a group of like men from one placement to another.
//!
//! Placements are nodes, and a move of one man is an edge. A leaper's ray has one step. A slider's
//! ray lists its squares from near to far. Rays stop at other men of the group; the caller takes
//! men of other groups into account.

use crate::board::attacks::{self, ROOK_DIRECTIONS};
use crate::board::{Color, Role, Square, SquareSet};
use crate::index::{Group, Placements};

/// One step of a ray.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The placement after the step.
    pub to: u32,
    /// The man's new square.
    pub square: u8,
}

/// The removal of a man from a placement.
#[derive(Clone, Copy, Debug)]
pub struct Removal {
    /// The placement of the group's other men; 0 if there are none.
    pub rest: u32,
    /// The square of the removed man.
    pub square: u8,
}

/// The mean number of moves of a man on an empty board, rounded up.
pub fn open_moves(role: Role, color: Color) -> usize {
    let moves = |square| attacks::attacks(role, color, square, SquareSet::EMPTY).len();
    Square::all().map(moves).sum::<usize>().div_ceil(64)
}

/// Concatenated lists of varying length.
#[derive(Debug)]
struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new() -> Lists<T> {
        Lists {
            starts: vec![0],
            items: Vec::new(),
        }
    }

    /// Ends the current list.
    fn close(&mut self) {
        let end =
            u32::try_from(self.items.len()).expect("a placement graph has fewer than 2^32 edges");
        self.starts.push(end);
    }

    fn shrink_to_fit(&mut self) {
        self.starts.shrink_to_fit();
        self.items.shrink_to_fit();
    }

    #[inline(always)]
    fn get(&self, i: usize) -> &[T] {
        &self.items[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

/// The placements of a group, with the moves and removals of its men.
#[derive(Debug)]
pub struct Graph {
    squares: Vec<SquareSet>,
    /// For each placement, the index of its first ray; then the number of rays. The steps of ray r
    /// are `steps.get(r)`.
    rays: Vec<u32>,
    steps: Lists<Step>,
    removals: Lists<Removal>,
    slides: bool,
}

impl Graph {
    /// Estimates the size of a group's graph in bytes. The size matters if the group has many
    /// placements.
    pub fn bytes(group: &Group) -> u64 {
        let steps = open_moves(group.role, group.color);
        let rays = match group.role {
            Role::Rook => ROOK_DIRECTIONS.len(),
            _ => steps,
        };
        let of_a_man = steps * size_of::<Step>() + rays * size_of::<u32>() + size_of::<Removal>();
        (group.placements().len() * group.count * of_a_man) as u64
    }

    /// Makes the graph of a group. No man of the group may have a move out of the group's domain.
    pub fn new(group: Group) -> Graph {
        let placements = group.placements();
        let fewer = (group.count > 1).then(|| Placements::new(group.count - 1, group.domain));
        let squares = placements.table();
        let mut graph = Graph {
            rays: vec![0],
            steps: Lists::new(),
            removals: Lists::new(),
            slides: group.role == Role::Rook,
            squares: Vec::new(),
        };
        for &men in &squares {
            for from in men {
                let rest = men.without(from);
                let mut ray = |squares: &mut dyn Iterator<Item = Square>| {
                    for to in squares.take_while(|&to| !rest.contains(to)) {
                        graph.steps.items.push(Step {
                            to: placements.number(rest.with(to)) as u32,
                            square: to.index() as u8,
                        });
                    }
                    if graph.steps.items.len() > *graph.steps.starts.last().unwrap() as usize {
                        graph.steps.close();
                    }
                };
                for &(files, ranks) in attacks::steps(group.role, group.color) {
                    ray(&mut from.offset(files, ranks).into_iter());
                }
                if graph.slides {
                    for (files, ranks) in ROOK_DIRECTIONS {
                        ray(&mut std::iter::successors(from.offset(files, ranks), |s| {
                            s.offset(files, ranks)
                        }));
                    }
                }
                graph.removals.items.push(Removal {
                    rest: fewer.as_ref().map_or(0, |f| f.number(rest)) as u32,
                    square: from.index() as u8,
                });
            }
            graph.rays.push(graph.steps.starts.len() as u32 - 1);
            graph.removals.close();
        }
        graph.squares = squares;
        // With many like men the graph is a large part of a solve's memory.
        graph.rays.shrink_to_fit();
        graph.steps.shrink_to_fit();
        graph.removals.shrink_to_fit();
        graph
    }

    /// The number of placements.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// The squares of a placement.
    #[inline(always)]
    pub fn squares(&self, placement: usize) -> SquareSet {
        self.squares[placement]
    }

    /// The rays of a placement's men, each from near to far.
    #[inline(always)]
    pub fn rays(&self, placement: usize) -> impl Iterator<Item = &[Step]> {
        (self.rays[placement]..self.rays[placement + 1]).map(|ray| self.steps.get(ray as usize))
    }

    /// The steps of a placement's men along all their rays. For leapers, these are all their moves.
    #[inline(always)]
    pub fn moves(&self, placement: usize) -> &[Step] {
        let first = self.steps.starts[self.rays[placement] as usize];
        let end = self.steps.starts[self.rays[placement + 1] as usize];
        &self.steps.items[first as usize..end as usize]
    }

    /// The ways to remove one man from a placement.
    #[inline(always)]
    pub fn removals(&self, placement: usize) -> &[Removal] {
        self.removals.get(placement)
    }

    /// True if the men of the group are sliders.
    pub fn slides(&self) -> bool {
        self.slides
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edges_are_the_moves_that_the_group_itself_leaves_free() {
        for (role, count) in [
            (Role::Rook, 1),
            (Role::Rook, 2),
            (Role::Khon, 2),
            (Role::Knight, 1),
            (Role::Met, 3),
        ] {
            let color = Color::Black;
            let graph = Graph::new(Group::new(color, role, count));
            let placements = Placements::new(count, SquareSet::ALL);
            for p in (0..graph.len()).step_by(if count == 3 { 101 } else { 1 }) {
                let men = placements.squares(p);
                let mut expected: Vec<usize> = men
                    .flat_map(|from| {
                        let targets = attacks::attacks(role, color, from, men) & !men;
                        targets.map(move |to| (from, to))
                    })
                    .map(|(from, to)| placements.number(men.without(from).with(to)))
                    .collect();
                let mut found: Vec<usize> =
                    graph.moves(p).iter().map(|step| step.to as usize).collect();
                assert_eq!(found.len(), graph.rays(p).map(<[Step]>::len).sum::<usize>());
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected);
                assert_eq!(graph.removals(p).len(), count);
            }
        }
    }
}
