//! Loading ahead: threads that make the next batches while the network trains on this one.

use std::hint::black_box;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use common::{CifarSet, TrainConfig};
use rayon::prelude::*;

/// Normalised pixels and labels.
pub type Batch = (Vec<f32>, Vec<i64>);

/// What a batch costs besides its normalisation.
#[derive(Clone, Copy)]
pub enum Source {
    Memory,
    Waits(Duration),
    Computes(usize), // so many normalisations more
}

/// Makes batches, in the thread that asks.
pub struct Loader<'a> {
    pub set: &'a CifarSet,
    pub config: &'a TrainConfig,
    pub source: Source,
}

impl Loader<'_> {
    pub fn load(&self, indices: &[usize]) -> Batch {
        self.wait();
        self.compute(indices)
    }

    /// The same, with the images shared out among the threads of rayon.
    pub fn load_parallel(&self, indices: &[usize]) -> Batch {
        self.wait();
        let size = indices.len().div_ceil(rayon::current_num_threads());
        let parts = indices.par_chunks(size).map(|part| self.compute(part));
        let (pixels, labels): (Vec<_>, Vec<_>) = parts.unzip();
        (pixels.concat(), labels.concat())
    }

    fn wait(&self) {
        if let Source::Waits(time) = self.source {
            thread::sleep(time);
        }
    }

    fn compute(&self, indices: &[usize]) -> Batch {
        let (mean, std) = (self.config.mean, self.config.std);
        if let Source::Computes(times) = self.source {
            for _ in 0..times {
                black_box(self.set.normalised_batch(black_box(indices), mean, std));
            }
        }
        self.set.normalised_batch(indices, mean, std)
    }
}

/// Calls `step` with each batch, while `workers` threads load ahead, two batches each.
///
/// Worker 0 makes batches 0, 2, 4 if there are two; they are taken in turn, so the order stays.
pub fn ahead(
    loader: &Loader,
    chunks: &[&[usize]],
    workers: usize,
    mut step: impl FnMut(Batch) -> Result<()>,
) -> Result<()> {
    thread::scope(|scope| {
        let mut receivers = Vec::new();
        for worker in 0..workers {
            let (sender, receiver) = sync_channel(2);
            receivers.push(receiver);
            scope.spawn(move || {
                for indices in chunks.iter().skip(worker).step_by(workers) {
                    if sender.send(loader.load(indices)).is_err() {
                        return; // a step has failed, and nobody takes batches any more
                    }
                }
            });
        }
        for number in 0..chunks.len() {
            step(receivers[number % workers].recv()?)?;
        }
        Ok(())
    })
}
