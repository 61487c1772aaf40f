//! The storage and the coding of a set, as the writer chooses them.

use crate::verdict::coding::{Coding, Ties};
use crate::verdict::header::SETS;
use crate::verdict::model::KingSteps;

/// How a set is stored: empty, equal to another set, or coded.
#[derive(Clone, Copy)]
pub enum Kind {
    Empty,
    Same(usize),
    Coded(How),
}

/// How a set is coded: see [`CodedSet`](crate::verdict::header::CodedSet) and
/// [`Model`](crate::verdict::model::Model).
#[derive(Clone, Copy)]
pub struct How {
    pub parent: Option<usize>,
    pub ties: Ties,
    pub guide: usize,
    pub king_steps: KingSteps,
}

impl Coding {
    /// True if this coding is possible when the sets are stored as in `kinds`.
    pub(super) fn fits(&self, kinds: &[Kind; SETS]) -> bool {
        let is_coded = |set: &usize| matches!(kinds[*set], Kind::Coded(_));
        let mut sets = kinds.iter().zip(&self.sets).enumerate();
        let all = sets.all(|(set, both)| match both {
            (Kind::Coded(how), Some(ties)) => {
                let others = (0..set).filter(is_coded);
                let mut others = others.filter(|&other| how.parent != Some(other));
                ties.like
                    .is_none_or(|like| others.any(|other| other == like))
                    && (how.parent.is_some() || !ties.outsiders)
            }
            (Kind::Empty | Kind::Same(_), None) => true,
            _ => false,
        });
        all && (1..=u64::from(u8::MAX)).contains(&self.block_planes)
    }
}
