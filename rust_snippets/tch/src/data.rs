//! CIFAR-10 as tensors.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use common::{CifarSet, TrainConfig};
use tch::{Cuda, Device, Tensor};

/// The run's device. A GPU that is not there is an error, never a silent CPU.
pub fn device(config: &TrainConfig) -> Result<Device> {
    match config.device.as_str() {
        "cpu" => Ok(Device::Cpu),
        "cuda" => {
            ensure!(
                cfg!(feature = "cuda"),
                "device cuda was asked for, but this program was built without the feature cuda"
            );
            ensure!(
                Cuda::is_available(),
                "device cuda was asked for, but libtorch finds no CUDA device"
            );
            Ok(Device::Cuda(0))
        }
        other => bail!("tch has no device {other}"),
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
    pub fn read(path: &Path, size: usize, config: &TrainConfig, device: Device) -> Result<Self> {
        Ok(Self {
            set: CifarSet::read(path, size)?,
            mean: config.mean,
            std: config.std,
            device,
        })
    }

    /// Normalised images `[B, 3, 32, 32]` and labels `[B]`.
    pub fn batch(&self, indices: &[usize]) -> (Tensor, Tensor) {
        let (pixels, labels) = self.set.normalised_batch(indices, self.mean, self.std);
        let images = Tensor::from_slice(&pixels).view((-1, 3, 32, 32));
        let labels = Tensor::from_slice(&labels);
        (images.to_device(self.device), labels.to_device(self.device))
    }
}
