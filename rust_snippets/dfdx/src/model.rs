//! The network: two convolutions and a linear layer, 60,362 parameters. It is a type, so the
//! compiler checks that each layer fits the next.

use anyhow::Result;
use dfdx::prelude::*;

use crate::pool::FirstOfEquals;

pub type Layers = (
    (
        Conv2D<3, 32, 3, 1, 1>, // [B, 32, 32, 32]; 3 to 32 channels, kernel 3, stride 1, padding 1
        Bias2D<32>,             // dfdx's convolution has no bias of its own
        ReLU,
        FirstOfEquals,   // for PyTorch's gradient, see pool.rs
        MaxPool2D<2, 2>, // [B, 32, 16, 16]
    ),
    (
        Conv2D<32, 64, 3, 1, 1>, // [B, 64, 16, 16]
        Bias2D<64>,
        ReLU,
        FirstOfEquals,
        MaxPool2D<2, 2>, // [B, 64, 8, 8]
    ),
    (
        Flatten2D,        // [B, 4096]
        Linear<4096, 10>, // [B, 10]
    ),
);

/// The layers with their weights on a device.
pub type Cnn = <Layers as BuildOnDevice<Dev, f32>>::Built;

/// `Cpu`, or `Cuda` in a build with the feature `cuda`.
pub type Dev = AutoDevice;

/// The batch is a `usize`, known when the program runs: an epoch's last batch is smaller.
pub type Images<T = NoneTape> = Tensor<(usize, Const<3>, Const<32>, Const<32>), f32, Dev, T>;
pub type Logits<T = NoneTape> = Tensor<(usize, Const<10>), f32, Dev, T>;

/// The tape that notes every operation, to go back along it.
pub type Tracked = OwnedTape<f32, Dev>;

/// Images `[B, 3, 32, 32]` to logits `[B, 10]`.
pub fn forward(model: &Cnn, images: Images) -> Result<Logits> {
    Ok(model.try_forward(images)?)
}

/// The same, noted on the tape that the images bring along.
pub fn forward_tracked(model: &Cnn, images: Images<Tracked>) -> Result<Logits<Tracked>> {
    Ok(model.try_forward(images)?)
}
