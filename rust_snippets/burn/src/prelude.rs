//! What most cells begin with: `use burn_cells::prelude::*;`

pub use anyhow::{Context, Result, bail, ensure};
pub use burn::module::Param;
pub use burn::optim::{AdamConfig, GradientsParams};
pub use burn::prelude::*;
pub use burn::tensor::activation;
pub use common::{CifarSet, Order, Report, TrainConfig, Weights};
