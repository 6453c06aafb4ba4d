//! CIFAR-10 as tensors.

use std::path::Path;

use anyhow::{Result, bail};
use burn::prelude::*;
use common::{CifarSet, TrainConfig};

/// The run's device. A GPU that is not there is an error, never a silent CPU.
pub fn device(config: &TrainConfig) -> Result<Device> {
    match config.device.as_str() {
        "cpu" => Ok(Device::flex()), // Burn's own CPU backend, in plain Rust
        "cuda" => cuda(),
        other => bail!("burn has no device {other}"),
    }
}

#[cfg(feature = "cuda")]
fn cuda() -> Result<Device> {
    let found = Device::enumerate(burn::tensor::DeviceType::Cuda).into_vec();
    match found.into_iter().next() {
        Some(device) => Ok(device),
        None => bail!("device cuda was asked for, but Burn finds no CUDA device"),
    }
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<Device> {
    bail!("device cuda was asked for, but this program is built without CUDA")
}

/// Images and labels, ready to be cut into batches.
pub struct Data {
    pub set: CifarSet,
    mean: [f32; 3],
    std: [f32; 3],
    device: Device,
}

impl Data {
    /// Reads the first `size` images of `path`.
    pub fn read(path: &Path, size: usize, config: &TrainConfig, device: &Device) -> Result<Self> {
        Ok(Self {
            set: CifarSet::read(path, size)?,
            mean: config.mean,
            std: config.std,
            device: device.clone(),
        })
    }

    /// Normalised images `[B, 3, 32, 32]` and labels `[B]`.
    pub fn batch(&self, indices: &[usize]) -> (Tensor<4>, Tensor<1, Int>) {
        let (pixels, labels) = self.set.normalised_batch(indices, self.mean, self.std);
        let pixels = TensorData::new(pixels, [indices.len(), 3, 32, 32]);
        let labels = TensorData::new(labels, [indices.len()]);
        let images = Tensor::from_data(pixels, &self.device);
        let labels = Tensor::from_data(labels, &self.device);
        (images, labels)
    }
}
