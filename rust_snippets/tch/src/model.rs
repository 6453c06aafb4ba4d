//! The network: two convolutions and a linear layer, 60,362 parameters.

use tch::Tensor;
use tch::nn::{self, Module};

#[derive(Debug)]
pub struct Cnn {
    conv1: nn::Conv2D,
    conv2: nn::Conv2D,
    fc: nn::Linear,
}

impl Cnn {
    /// Makes the layers below `path`; their names are those of PyTorch's `state_dict()`.
    pub fn new(path: &nn::Path) -> Self {
        let pad = nn::ConvConfig {
            padding: 1, // 0 unless we say so, and the picture would shrink
            ..Default::default()
        };
        Self {
            conv1: nn::conv2d(path / "conv1", 3, 32, 3, pad),
            conv2: nn::conv2d(path / "conv2", 32, 64, 3, pad),
            fc: nn::linear(path / "fc", 64 * 8 * 8, 10, Default::default()),
        }
    }
}

impl Module for Cnn {
    /// Images `[B, 3, 32, 32]` to logits `[B, 10]`.
    fn forward(&self, x: &Tensor) -> Tensor {
        let x = x.apply(&self.conv1).relu(); // [B, 32, 32, 32]
        let x = x.max_pool2d_default(2); //     [B, 32, 16, 16]
        let x = x.apply(&self.conv2).relu(); // [B, 64, 16, 16]
        let x = x.max_pool2d_default(2); //     [B, 64, 8, 8]
        let x = x.flatten(1, -1); //            [B, 4096]
        x.apply(&self.fc) //                    [B, 10]
    }
}
