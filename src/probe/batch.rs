//! Many positions at once.

use super::error::ProbeError;
use super::look::Look;
use super::tablebase::Tablebase;
use super::value::Value;
use crate::board::Position;
use crate::rules::{Count, RuleSet};
use crate::table::Metric;

impl Tablebase {
    /// What each of many positions is worth, as [`Tablebase::probe`] tells of one, in their order.
    ///
    /// They are looked up in the order of the blocks they lie in, so that each block is decoded
    /// once however many there are, and files are read forwards. One that fails does not keep the
    /// others from being answered.
    ///
    /// ```
    /// use sakmak::board::{Fen, Lettering};
    /// use sakmak::probe::Tablebase;
    /// use sakmak::rules::{Category, Count, RuleSet};
    ///
    /// let kings = Fen::parse("8/8/8/3k4/8/3K4/8/8 w", Lettering::Makruk)?.position;
    /// let khon = Fen::parse("8/8/8/3k4/8/3K4/2S5/8 w", Lettering::Makruk)?.position;
    /// // Two kings need no table; the other position's has not been added.
    /// let answers = Tablebase::new().probe_many(&[khon, kings], RuleSet::Makruk, &Count::Fresh);
    /// assert!(answers[0].is_err());
    /// assert!(matches!(&answers[1], Ok(Some(value)) if value.category == Category::Draw));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_many(
        &self,
        positions: &[Position],
        rules: RuleSet,
        count: &Count,
    ) -> Vec<Result<Option<Value>, ProbeError>> {
        let mut look = Look::new(self);
        let mut order: Vec<(u64, usize)> = positions
            .iter()
            .enumerate()
            .map(|(place, position)| (look.order(Metric::Dtm, position), place))
            .collect();
        order.sort_unstable();
        let mut answers: Vec<_> = positions.iter().map(|_| Ok(None)).collect();
        for (_, place) in order {
            answers[place] = self.probe(&positions[place], rules, count);
        }
        answers
    }
}
