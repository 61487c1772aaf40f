//! How sets are coded.

use crate::verdict::model::KingSteps;

/// What is to be made of a set.
#[derive(Clone, Copy)]
pub enum Kind {
    Empty,
    Same(usize),
    Coded(How),
}

/// How a set is coded: as in [`CodedSet`](crate::verdict::header::CodedSet) and [`Model`](crate::verdict::model::Model).
#[derive(Clone, Copy)]
pub struct How {
    pub parent: Option<usize>,
    pub like: Option<usize>,
    pub outsiders: bool,
    pub guide: usize,
    pub king_steps: KingSteps,
}
