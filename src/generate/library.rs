//! Endings solved in memory, for larger ones to look up.

use std::collections::HashMap;
use std::rc::Rc;

use crate::board::Color;
use crate::material::{MIN_MEN, Material};
use crate::solve::{Frame, Leaf, Planes, Simd, Solution, solve};

/// Solved endings by material, in whatever colours, and winner.
#[derive(Debug, Default)]
pub struct Library {
    solved: HashMap<(Material, Color), Rc<Solution>>,
}

impl Library {
    /// An empty library.
    pub fn new() -> Library {
        Library::default()
    }

    /// The wins of one side in an ending, both sides to move; solved now if it is not there.
    pub fn solution(&mut self, material: Material, winner: Color) -> Rc<Solution> {
        if let Some(solution) = self.solved.get(&(material, winner)) {
            return Rc::clone(solution);
        }
        let frame = Frame::new(material, winner);
        let leaves = self.leaves(material, &frame);
        let solution = Rc::new(solve(frame, leaves, true, Simd::detect(), &mut |_| {}));
        self.solved.insert((material, winner), Rc::clone(&solution));
        solution
    }

    /// The leaves of a frame: what captures lead to, where the winner can still win.
    pub fn leaves(&mut self, material: Material, frame: &Frame) -> Vec<Leaf> {
        let winner = frame.winner();
        (0..frame.groups().len())
            .filter_map(|group| {
                let rest = without(material, frame, group)?;
                if rest.army(winner).is_empty() {
                    return None;
                }
                let solution = self.solution(rest, winner);
                // The loser's king takes with the winner to move then, and the other way round.
                let planes = if frame.groups()[group].color == winner {
                    Some(&solution.winner_to_move)
                } else {
                    solution.loser_to_move.as_ref()
                };
                let planes = planes.filter(|planes| planes.largest() > 0)?;
                Some(leaf(frame, group, &solution.frame, planes))
            })
            .collect()
    }
}

/// The material after a man of a group of the frame is captured, if it is more than two kings.
fn without(material: Material, frame: &Frame, group: usize) -> Option<Material> {
    let lost = frame.groups()[group];
    let mut rest = material;
    let army = match lost.color {
        Color::White => &mut rest.white,
        Color::Black => &mut rest.black,
    };
    *army = army.without(lost.role)?;
    (rest.men() > MIN_MEN).then_some(rest)
}

/// Puts the numbers of a solved ending into the order of a frame's leaf.
fn leaf(frame: &Frame, group: usize, solved: &Frame, planes: &Planes) -> Leaf {
    let rest = frame.without(group);
    let places: Vec<usize> = solved
        .groups()
        .iter()
        .map(|g| {
            let place = rest.groups().iter().position(|f| f == g);
            place.expect("a smaller ending has the frame's other men")
        })
        .collect();
    Leaf::collect(frame, group, &|king, men, out| {
        let (transform, lane) = solved.lane(king, |g| men[places[g]]);
        for square in crate::board::Square::all() {
            out[square.index()] = planes.get(lane, transform.square(square).index());
        }
    })
}
