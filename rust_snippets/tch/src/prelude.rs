//! What most cells begin with: `use tch_cells::prelude::*;`

pub use anyhow::{Context, Result, bail, ensure};
pub use common::{CifarSet, Order, Report, TrainConfig, Weights};
pub use tch::nn::{self, Module, OptimizerConfig};
pub use tch::{Device, Kind, Tensor, no_grad};
