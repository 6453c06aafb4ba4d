//! The order in which each epoch visits the images, drawn once in Python for all engines.

use std::path::Path;

use anyhow::{ensure, Context, Result};
use safetensors::{Dtype, SafeTensors};

/// One permutation of `0..images` an epoch.
#[derive(Clone, Debug)]
pub struct Order {
    /// `[epochs, images]`, one epoch after the other.
    indices: Vec<usize>,
    images: usize,
}

impl Order {
    /// Reads the tensor `order` (I64, `[epochs, images]`) of a safetensors file. Each row must
    /// name every image once.
    pub fn read(path: impl AsRef<Path>, epochs: usize, images: usize) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let file = SafeTensors::deserialize(&bytes)
            .with_context(|| format!("{name} is not a whole safetensors file"))?;
        let order = file
            .tensor("order")
            .ok()
            .with_context(|| format!("{name} has no tensor `order`"))?;
        ensure!(
            order.dtype() == Dtype::I64 && order.shape() == [epochs, images],
            "{name}: `order` is {:?} {:?}, but the run needs I64 [{epochs}, {images}]",
            order.dtype(),
            order.shape()
        );

        let indices: Vec<usize> = order
            .data()
            .chunks_exact(8)
            .map(|b| i64::from_le_bytes(b.try_into().unwrap()))
            .map(|index| usize::try_from(index).unwrap_or(usize::MAX))
            .collect();
        for (epoch, row) in indices.chunks(images).enumerate() {
            let mut seen = vec![false; images];
            for &index in row {
                ensure!(
                    index < images && !std::mem::replace(&mut seen[index], true),
                    "{name}: epoch {} does not name each of the {images} images once",
                    epoch + 1
                );
            }
        }
        Ok(Self { indices, images })
    }

    /// The images of one epoch, counted from 0. Batches are its `.chunks(batch_size)`.
    pub fn epoch(&self, epoch: usize) -> &[usize] {
        &self.indices[epoch * self.images..(epoch + 1) * self.images]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::tensor::TensorView;

    fn read(name: &str, shape: [usize; 2], values: &[i64], images: usize) -> Result<Order> {
        let path = crate::test_folder(name).join("order.safetensors");
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = TensorView::new(Dtype::I64, shape.to_vec(), &bytes).unwrap();
        safetensors::serialize_to_file([("order", view)], &None, &path).unwrap();
        Order::read(path, 2, images)
    }

    #[test]
    fn each_epoch_has_its_own_row() {
        let order = read("rows", [2, 3], &[2, 0, 1, 1, 2, 0], 3).unwrap();
        assert_eq!(order.epoch(0), [2, 0, 1]);
        assert_eq!(order.epoch(1), [1, 2, 0]);
    }

    #[test]
    fn a_wrong_length_names_both_shapes() {
        let error = read("length", [2, 3], &[2, 0, 1, 1, 2, 0], 4).unwrap_err();
        assert!(error
            .to_string()
            .ends_with("`order` is I64 [2, 3], but the run needs I64 [2, 4]"));
    }

    #[test]
    fn a_repeated_or_negative_index_is_refused() {
        for (name, bad) in [("repeated", 2), ("negative", -1), ("large", 3)] {
            let error = read(name, [2, 3], &[2, 0, 1, 1, bad, 2], 3).unwrap_err();
            assert!(error.to_string().contains("epoch 2 does not name each"));
        }
    }
}
