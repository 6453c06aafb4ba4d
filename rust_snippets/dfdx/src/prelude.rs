//! What most cells begin with: `use dfdx_cells::prelude::*;`

pub use anyhow::{bail, ensure, Context, Result};
pub use common::{CifarSet, Order, Report, TrainConfig, Weights};
pub use dfdx::data::OneHotEncode;
pub use dfdx::optim::{Adam, AdamConfig, Sgd, SgdConfig};
pub use dfdx::prelude::*;
