//! CIFAR-10 as tensors.

use std::path::Path;

use anyhow::{ensure, Result};
use common::{CifarSet, TrainConfig};
use dfdx::data::OneHotEncode;
use dfdx::prelude::*;

use crate::model::{Dev, Images, Logits};

/// The run's device. A GPU that is not there is an error, never a silent CPU.
pub fn device(config: &TrainConfig) -> Result<Dev> {
    let built = if cfg!(feature = "cuda") {
        "cuda"
    } else {
        "cpu"
    };
    ensure!(
        config.device == built,
        "device {} was asked for, but this program is built for {built} alone",
        config.device
    );
    #[cfg(feature = "cuda")]
    let dev = anyhow::Context::context(
        Cuda::try_seed_from_u64(config.seed),
        "device cuda was asked for, but cannot be used",
    )?;
    #[cfg(not(feature = "cuda"))]
    let dev = Cpu::seed_from_u64(config.seed);
    Ok(dev)
}

/// Images and labels, ready to be cut into batches.
pub struct Data {
    pub set: CifarSet,
    mean: [f32; 3],
    std: [f32; 3],
    device: Dev,
}

impl Data {
    /// Reads the first `size` images of `path`.
    pub fn read(path: &Path, size: usize, config: &TrainConfig, device: &Dev) -> Result<Self> {
        Ok(Self {
            set: CifarSet::read(path, size)?,
            mean: config.mean,
            std: config.std,
            device: device.clone(),
        })
    }

    /// Normalised images `[B, 3, 32, 32]` and labels `[B, 10]`: dfdx's loss wants each label as
    /// ten probabilities, one of them 1.
    pub fn batch(&self, indices: &[usize]) -> Result<(Images, Logits)> {
        let (pixels, labels) = self.set.normalised_batch(indices, self.mean, self.std);
        let shape = (indices.len(), Const, Const, Const);
        let images = self.device.try_tensor((pixels, shape))?;
        let labels: Vec<usize> = labels.iter().map(|&label| label as usize).collect();
        let labels = self.device.one_hot_encode(Const, labels);
        Ok((images, labels))
    }
}
