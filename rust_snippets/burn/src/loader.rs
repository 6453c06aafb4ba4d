//! CIFAR-10 for Burn's `DataLoader`: a data set of items, and a batcher that makes tensors of them.

use burn::data::dataloader::batcher::Batcher;
use burn::data::dataset::{Dataset, DatasetError};
use burn::prelude::*;
use common::CifarSet;

/// One image and its label, as bytes.
#[derive(Clone, Debug)]
pub struct Item {
    pub image: Vec<u8>, // 3 x 32 x 32
    pub label: u8,
}

/// The images of a file, one by one. The wrapper is there because `Dataset` and `CifarSet` are both
/// from other crates.
pub struct Cifar(pub CifarSet);

impl Dataset<Item> for Cifar {
    fn get(&self, index: usize) -> Result<Item, DatasetError> {
        Ok(Item {
            image: self.0.image(index).to_vec(),
            label: self.0.labels[index],
        })
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// Images `[B, 3, 32, 32]` and labels `[B]`.
#[derive(Clone, Debug)]
pub struct Batch {
    pub images: Tensor<4>,
    pub labels: Tensor<1, Int>,
}

/// What PyTorch's `collate_fn` and `transform` do: stack, and normalise.
pub struct ToTensors {
    pub mean: [f32; 3],
    pub std: [f32; 3],
}

impl Batcher<Item, Batch> for ToTensors {
    fn batch(&self, items: Vec<Item>, device: &Device) -> Batch {
        let count = items.len();
        let labels: Vec<i64> = items.iter().map(|item| item.label.into()).collect();
        let bytes = items.into_iter().flat_map(|item| item.image);
        let pixels: Vec<f32> = bytes.map(f32::from).collect();

        let images = Tensor::<4>::from_data(TensorData::new(pixels, [count, 3, 32, 32]), device);
        let mean = Tensor::<1>::from_floats(self.mean, device).reshape([1, 3, 1, 1]);
        let std = Tensor::<1>::from_floats(self.std, device).reshape([1, 3, 1, 1]);
        Batch {
            images: (images / 255.0 - mean) / std,
            labels: Tensor::from_data(TensorData::new(labels, [count]), device),
        }
    }
}
