//! An epoch of batches as an iterator, in an order that somebody else has drawn.

use std::slice::Chunks;

use anyhow::Result;
use candle_core::Tensor;

use crate::data::Data;

/// Hands out batches until the order is used up; the last one may be smaller.
///
/// It borrows the images and the order, and owns neither.
pub struct Batches<'a> {
    data: &'a Data,
    chunks: Chunks<'a, usize>,
}

impl<'a> Batches<'a> {
    /// `order` names the images of one epoch.
    pub fn new(data: &'a Data, order: &'a [usize], batch_size: usize) -> Self {
        Self {
            data,
            chunks: order.chunks(batch_size),
        }
    }
}

impl Iterator for Batches<'_> {
    /// Images `[B, 3, 32, 32]` and labels `[B]`, owned by whoever takes them.
    type Item = Result<(Tensor, Tensor)>;

    fn next(&mut self) -> Option<Self::Item> {
        let indices = self.chunks.next()?; // None: the epoch is over
        Some(self.data.batch(indices))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chunks.size_hint()
    }
}

impl ExactSizeIterator for Batches<'_> {} // gives `len`, from `size_hint`
