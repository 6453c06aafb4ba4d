//! What most cells begin with: `use candle_cells::prelude::*;`

pub use anyhow::{Context, Result, bail, ensure};
pub use candle_core::{D, DType, Device, IndexOp, Tensor, Var};
pub use candle_nn::{self as nn, Module, Optimizer, VarBuilder, VarMap};
pub use common::{CifarSet, Order, Report, TrainConfig, Weights};
