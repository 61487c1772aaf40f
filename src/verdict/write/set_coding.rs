//! The storage and the coding that the writer chooses for a set.

use crate::verdict::coding::{Coding, Ties};
use crate::verdict::header::SETS;
use crate::verdict::model::KingSteps;

/// The storage of a set.
#[derive(Clone, Copy)]
pub enum Kind {
    /// The set is empty.
    Empty,
    /// The set equals the earlier set with this index.
    Same(usize),
    /// The set is coded in blocks.
    Coded(SetCoding),
}

/// The coding of a set. [`CodedSet`](crate::verdict::header::CodedSet) and
/// [`Model`](crate::verdict::model::Model) explain the fields.
#[derive(Clone, Copy)]
pub struct SetCoding {
    pub parent: Option<usize>,
    pub ties: Ties,
    pub guide: usize,
    pub king_steps: KingSteps,
}

impl Coding {
    /// True if sets of these kinds can be coded in this way.
    pub(super) fn fits(&self, kinds: &[Kind; SETS]) -> bool {
        let is_coded = |set: &usize| matches!(kinds[*set], Kind::Coded(_));
        let mut sets = kinds.iter().zip(&self.sets).enumerate();
        let all = sets.all(|(set, both)| match both {
            (Kind::Coded(coding), Some(ties)) => {
                let others = (0..set).filter(is_coded);
                let mut others = others.filter(|&other| coding.parent != Some(other));
                ties.like
                    .is_none_or(|like| others.any(|other| other == like))
                    && (coding.parent.is_some() || !ties.outsiders)
            }
            (Kind::Empty | Kind::Same(_), None) => true,
            _ => false,
        });
        all && (1..=u64::from(u8::MAX)).contains(&self.block_planes)
    }
}
