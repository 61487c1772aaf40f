//! Probes many positions at once.

use tablebase::board::Position;
use tablebase::probe::Tablebase;
use tablebase::rules::{Count, RuleSet};

use super::ffi::{Output, guard, rule_set, slice};
use super::handle::{SakmakTablebase, tablebase};
use super::position::{SakmakCount, SakmakPosition};
use super::status::{Failure, SakmakError, SakmakStatus};
use super::value::{SakmakCategory, SakmakValue};

/// Probes `number` positions as sakmak_probe does. `counts` is NULL, for fresh counts, or has a count
/// for each position. Positions are looked up in the order of their blocks, so that each block is
/// decoded once. A position that fails does not affect the others: its value does not change, and its
/// status is written to `statuses` unless this is NULL. The call returns the status, and writes the
/// error, of the first position in the list that fails.
///
/// # Safety
///
/// `handle` is NULL or open; `positions` is NULL or has `number` elements, and so have `counts`,
/// `values` and `statuses`; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_many(
    handle: *const SakmakTablebase,
    positions: *const SakmakPosition,
    counts: *const SakmakCount,
    number: usize,
    rules: i32,
    values: *mut SakmakValue,
    statuses: *mut SakmakStatus,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let many = Many::new(handle, positions, counts, number, rules)?;
            many.answer(values, statuses, |tablebase, position, rules, count| {
                Ok(SakmakValue::of(tablebase.probe(position, rules, count)?))
            })
        })
    }
}

/// Computes the categories of `number` positions as sakmak_category does, and otherwise like
/// sakmak_probe_many.
///
/// # Safety
///
/// `handle` is NULL or open; `positions` is NULL or has `number` elements, and so have `counts`,
/// `categories` and `statuses`; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_category_many(
    handle: *const SakmakTablebase,
    positions: *const SakmakPosition,
    counts: *const SakmakCount,
    number: usize,
    rules: i32,
    categories: *mut SakmakCategory,
    statuses: *mut SakmakStatus,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let many = Many::new(handle, positions, counts, number, rules)?;
            many.answer(categories, statuses, |tablebase, position, rules, count| {
                Ok(SakmakCategory::of(
                    tablebase.category(position, rules, count)?,
                ))
            })
        })
    }
}

/// The arguments of a call about many positions.
struct Many<'a> {
    tablebase: &'a Tablebase,
    positions: &'a [SakmakPosition],
    counts: Option<&'a [SakmakCount]>,
    rules: RuleSet,
}

impl Many<'_> {
    /// # Safety
    ///
    /// `handle` is NULL or open; the lists are NULL or have `number` elements.
    unsafe fn new<'a>(
        handle: *const SakmakTablebase,
        positions: *const SakmakPosition,
        counts: *const SakmakCount,
        number: usize,
        rules: i32,
    ) -> Result<Many<'a>, Failure> {
        // SAFETY: the caller keeps the contract of the pointers, here and below.
        unsafe {
            Ok(Many {
                tablebase: tablebase(handle)?,
                rules: rule_set(rules)?,
                positions: match number {
                    0 => &[],
                    _ => slice(positions, number, "the list of positions")?,
                },
                counts: match number == 0 || counts.is_null() {
                    true => None,
                    false => Some(slice(counts, number, "the list of counts")?),
                },
            })
        }
    }

    /// Answers each position, in the order of their blocks.
    ///
    /// # Safety
    ///
    /// An answer for each position can be written to `answers`, and a status to `statuses` unless it
    /// is NULL.
    unsafe fn answer<T: Copy>(
        &self,
        answers: *mut T,
        statuses: *mut SakmakStatus,
        ask: impl Fn(&Tablebase, &Position, RuleSet, &Count) -> Result<T, Failure>,
    ) -> Result<(), Failure> {
        if !self.positions.is_empty() {
            Output::new(answers, "the list for the answers")?;
        }
        let mut first: Option<(usize, Failure)> = None;
        let mut note = |place: usize, status: SakmakStatus, failure: Option<Failure>| {
            if !statuses.is_null() {
                // SAFETY: the caller keeps the contract of the pointers.
                unsafe { statuses.add(place).write(status) };
            }
            if let Some(failure) = failure
                && first.as_ref().is_none_or(|&(before, _)| place < before)
            {
                first = Some((place, failure));
            }
        };
        let mut legal = Vec::with_capacity(self.positions.len());
        let mut places = Vec::with_capacity(self.positions.len());
        for (place, position) in self.positions.iter().enumerate() {
            match position.position() {
                Ok(position) => {
                    legal.push(position);
                    places.push(place);
                }
                Err(failure) => note(place, failure.status, Some(failure)),
            }
        }
        for i in self.tablebase.in_order_of_blocks(&legal, self.rules) {
            let place = places[i];
            let count = self
                .counts
                .map_or(Ok(Count::Fresh), |counts| counts[place].count());
            match count.and_then(|count| ask(self.tablebase, &legal[i], self.rules, &count)) {
                Ok(answer) => {
                    // SAFETY: the caller keeps the contract of the pointers.
                    unsafe { answers.add(place).write(answer) };
                    note(place, SakmakStatus::Ok, None);
                }
                Err(failure) => note(place, failure.status, Some(failure)),
            }
        }
        first.map_or(Ok(()), |(_, failure)| Err(failure))
    }
}
