//! What every engine shares, with no framework in it: the run's settings, the CIFAR-10 reader,
//! the order of the images, weight files, and the report of how training goes.
//!
//! Python writes a run folder (`run.json`, data, first weights, order); each engine's program reads it:
//!
//! ```no_run
//! use common::{CifarSet, Order, TrainConfig};
//!
//! # fn main() -> anyhow::Result<()> {
//! let config = TrainConfig::from_args()?;
//! let train = CifarSet::read(&config.train_bin, config.train_size)?;
//! let order = Order::read(&config.order, config.epochs, train.len())?;
//! for batch in order.epoch(0).chunks(config.batch_size) {
//!     let (pixels, labels) = train.normalised_batch(batch, config.mean, config.std);
//! }
//! # Ok(())
//! # }
//! ```

pub mod augment;
pub mod cifar;
pub mod config;
pub mod draws;
pub mod events;
pub mod order;
pub mod report;
pub mod small_task;
pub mod weights;

pub use cifar::CifarSet;
pub use config::{Task, TrainConfig};
pub use draws::Draws;
pub use events::{Event, Events};
pub use order::Order;
pub use report::{EpochReport, Report};
pub use small_task::SmallTask;
pub use weights::Weights;

/// A fresh folder for one test, below the system's temporary folder.
#[cfg(test)]
fn test_folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("common-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
