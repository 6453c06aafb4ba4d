//! The network: two convolutions and a linear layer, 60,362 parameters.

use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::pool::{MaxPool2d, MaxPool2dConfig};
use burn::nn::{Linear, LinearConfig, PaddingConfig2d, Relu};
use burn::prelude::*;

#[derive(Module, Debug)]
pub struct Cnn {
    pub conv1: Conv2d,
    pub conv2: Conv2d,
    pub fc: Linear,
    relu: Relu,
    pool: MaxPool2d,
}

/// The network's sizes. Burn writes `CnnConfig::new()`, `with_classes` and `save` for us.
#[derive(Config, Debug)]
pub struct CnnConfig {
    #[config(default = 10)]
    pub classes: usize,
}

impl CnnConfig {
    /// Makes the layers on `device`; a weight is drawn when it is first used.
    pub fn init(&self, device: &Device) -> Cnn {
        let pad = PaddingConfig2d::Explicit(1, 1, 1, 1); // none unless we say so
        let conv1 = Conv2dConfig::new([3, 32], [3, 3]).with_padding(pad.clone());
        let conv2 = Conv2dConfig::new([32, 64], [3, 3]).with_padding(pad);
        Cnn {
            conv1: conv1.init(device),
            conv2: conv2.init(device),
            fc: LinearConfig::new(64 * 8 * 8, self.classes).init(device),
            relu: Relu::new(),
            pool: MaxPool2dConfig::new([2, 2]).init(),
        }
    }
}

impl Cnn {
    /// Images `[B, 3, 32, 32]` to logits `[B, 10]`.
    pub fn forward(&self, x: Tensor<4>) -> Tensor<2> {
        let x = self.relu.forward(self.conv1.forward(x)); // [B, 32, 32, 32]
        let x = self.pool.forward(x); //                     [B, 32, 16, 16]
        let x = self.relu.forward(self.conv2.forward(x)); // [B, 64, 16, 16]
        let x = self.pool.forward(x); //                     [B, 64, 8, 8]
        let x = x.flatten(1, 3); //                          [B, 4096]
        self.fc.forward(x) //                                [B, 10]
    }
}
