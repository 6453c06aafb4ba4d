//! The network: two convolutions and a linear layer, 60,362 parameters.

use candle_core::{Result, Tensor};
use candle_nn::{self as nn, Module, VarBuilder};

#[derive(Debug)]
pub struct Cnn {
    conv1: nn::Conv2d,
    conv2: nn::Conv2d,
    fc: nn::Linear,
}

impl Cnn {
    /// Makes the layers from `vb`'s variables; their names are those of PyTorch's `state_dict()`.
    pub fn new(vb: VarBuilder) -> Result<Self> {
        let pad = nn::Conv2dConfig {
            padding: 1, // 0 unless we say so, and the picture would shrink
            ..Default::default()
        };
        Ok(Self {
            conv1: nn::conv2d(3, 32, 3, pad, vb.pp("conv1"))?,
            conv2: nn::conv2d(32, 64, 3, pad, vb.pp("conv2"))?,
            fc: nn::linear(64 * 8 * 8, 10, vb.pp("fc"))?,
        })
    }
}

impl Module for Cnn {
    /// Images `[B, 3, 32, 32]` to logits `[B, 10]`.
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let x = x.apply(&self.conv1)?.relu()?; // [B, 32, 32, 32]
        let x = max_pool2(&x)?; //                [B, 32, 16, 16]
        let x = x.apply(&self.conv2)?.relu()?; // [B, 64, 16, 16]
        let x = max_pool2(&x)?; //                [B, 64, 8, 8]
        let x = x.flatten_from(1)?; //            [B, 4096]
        x.apply(&self.fc) //                      [B, 10]
    }
}

/// The largest of each 2 x 2 square: `[B, C, H, W]` to `[B, C, H/2, W/2]`.
///
/// Candle's own `max_pool2d` gives the largest a quarter of its gradient, and `max` gives it to
/// all equals at once, of which flat parts of a picture are full. PyTorch gives it to the first;
/// so do `argmax` and `gather`.
pub fn max_pool2(x: &Tensor) -> Result<Tensor> {
    let (b, c, h, w) = x.dims4()?;
    let squares = x.reshape((b, c, h / 2, 2, w / 2, 2))?;
    let squares = squares.transpose(3, 4)?.flatten_from(4)?; // [B, C, H/2, W/2, 4]
    let first = squares.argmax_keepdim(4)?; //                  [B, C, H/2, W/2, 1]
    squares.gather(&first, 4)?.squeeze(4) //                    [B, C, H/2, W/2]
}
