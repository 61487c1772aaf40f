//! Parallel loops that compile quickly.
//!
//! rayon compiles the code that forks a task, some thousand lines, anew for each loop. With
//! [`Erased`], a loop compiles the splitting of its input, and all loops fork by one function.

use rayon::iter::plumbing::{
    Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer,
};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};

/// Adds [`erased`](ForkedByOneFunction::erased) to parallel iterators of known length.
pub trait ForkedByOneFunction: IndexedParallelIterator {
    /// The same items in the same order. Call it after `zip`, `enumerate` and the like, and before
    /// `map`, `for_each` and the like.
    fn erased(self) -> Erased<Self> {
        Erased(self)
    }
}

impl<I: IndexedParallelIterator> ForkedByOneFunction for I {}

/// A parallel iterator whose tasks are forked through `dyn` calls.
#[derive(Clone, Debug)]
pub struct Erased<I>(I);

impl<I: IndexedParallelIterator> ParallelIterator for Erased<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        let items = self.0.len();
        self.0.with_producer(Tasks { items, consumer })
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The start of a loop, once the type of its input is known.
struct Tasks<C> {
    items: usize,
    consumer: C,
}

impl<T, C: Consumer<T>> ProducerCallback<T> for Tasks<C> {
    type Output = C::Result;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Result {
        let splits = Splits {
            least_items: producer.min_len().max(1),
            left: rayon::current_num_threads().max(self.items / producer.max_len().max(1)),
        };
        run(self.items, splits, false, producer, self.consumer)
    }
}

/// The number of times that a task is still to be halved.
#[derive(Clone, Copy)]
struct Splits {
    least_items: usize,
    left: usize,
}

impl Splits {
    /// Decides whether to halve a task of this many items. `stolen` is true if an idle thread took
    /// it over: then others may be idle too, so the task is worth as many parts as there are threads.
    fn halve(&mut self, items: usize, stolen: bool) -> bool {
        if items / 2 < self.least_items || (self.left == 0 && !stolen) {
            return false;
        }
        self.left /= 2;
        if stolen {
            self.left = self.left.max(rayon::current_num_threads());
        }
        true
    }
}

/// Runs a task, in halves if others should help.
fn run<P: Producer, C: Consumer<P::Item>>(
    items: usize,
    mut splits: Splits,
    stolen: bool,
    producer: P,
    consumer: C,
) -> C::Result {
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    if !splits.halve(items, stolen) {
        return producer.fold_with(consumer.into_folder()).complete();
    }
    let middle = items / 2;
    let (first, second) = producer.split_at(middle);
    let (of_first, of_second, reducer) = consumer.split_at(middle);
    let mut tasks = [
        (middle, Some((first, of_first)), None),
        (items - middle, Some((second, of_second)), None),
    ];
    let [a, b] = tasks.each_mut().map(|(items, task, result)| {
        move |stolen| {
            let task = task.take();
            *result =
                task.map(|(producer, consumer)| run(*items, splits, stolen, producer, consumer));
        }
    });
    fork(&mut { a }, &mut { b });
    let [a, b] = tasks.map(|(_, _, result)| result.expect("both halves ran"));
    reducer.reduce(a, b)
}

/// Calls two functions, the second on another thread if one is idle. The argument of each tells
/// whether another thread runs it.
fn fork(a: &mut (dyn FnMut(bool) + Send), b: &mut (dyn FnMut(bool) + Send)) {
    rayon::join_context(
        |context| a(context.migrated()),
        |context| b(context.migrated()),
    );
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn results_are_those_of_a_loop() {
        for threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                for items in [0, 1, 2, 3, 1000] {
                    let squares = (0..items).into_par_iter().erased().map(|i| i * i);
                    let expected: Vec<usize> = (0..items).map(|i| i * i).collect();
                    assert_eq!(squares.clone().collect::<Vec<usize>>(), expected);
                    assert_eq!(squares.sum::<usize>(), expected.iter().sum::<usize>());
                    let mut cells = vec![0; items];
                    let chunks = cells.par_chunks_mut(3).enumerate().erased();
                    chunks.for_each(|(i, chunk)| chunk.fill(i));
                    assert!(cells.iter().enumerate().all(|(i, &cell)| cell == i / 3));
                    let failed: Result<(), usize> = (0..items)
                        .into_par_iter()
                        .erased()
                        .try_for_each(|i| if i == 2 { Err(i) } else { Ok(()) });
                    assert_eq!(failed.err(), (items > 2).then_some(2));
                }
            });
        }
    }

    #[test]
    fn tasks_are_as_long_as_asked_and_split_for_all_threads() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build();
        pool.unwrap().install(|| {
            let count = |least: usize, most: usize| {
                let tasks = AtomicUsize::new(0);
                let items = (0..1000)
                    .into_par_iter()
                    .with_min_len(least)
                    .with_max_len(most);
                items
                    .erased()
                    .for_each_init(|| tasks.fetch_add(1, Ordering::Relaxed), |_, _| {});
                tasks.into_inner()
            };
            assert_eq!(count(1000, usize::MAX), 1);
            assert!(count(1, usize::MAX) >= 4);
            assert!(count(1, 1) >= 1000);
            assert!(count(400, 1) <= 2);
        });
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_reaches_the_caller() {
        (0..100)
            .into_par_iter()
            .erased()
            .for_each(|i| assert!(i != 7, "seven"));
    }
}
