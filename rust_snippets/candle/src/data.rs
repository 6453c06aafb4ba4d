//! CIFAR-10 as tensors.

use std::path::Path;

use anyhow::{Context, Result, bail};
use candle_core::{Device, Tensor};
use common::{CifarSet, TrainConfig};

/// The run's device. A GPU that is not there is an error, never a silent CPU.
pub fn device(config: &TrainConfig) -> Result<Device> {
    match config.device.as_str() {
        "cpu" => Ok(Device::Cpu),
        "cuda" => Device::new_cuda(0).context("device cuda was asked for, but cannot be used"),
        other => bail!("candle has no device {other}"),
    }
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
    pub fn batch(&self, indices: &[usize]) -> Result<(Tensor, Tensor)> {
        let (pixels, labels) = self.set.normalised_batch(indices, self.mean, self.std);
        let images = Tensor::from_vec(pixels, (indices.len(), 3, 32, 32), &self.device)?;
        let labels = Tensor::from_vec(labels, indices.len(), &self.device)?;
        Ok((images, labels))
    }
}
