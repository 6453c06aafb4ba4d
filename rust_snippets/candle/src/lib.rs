//! The CIFAR-10 CNN in Candle: a module a step, each short enough for a notebook cell.

pub mod batches;
pub mod data;
pub mod event_file;
pub mod linear_regression;
pub mod mlp;
pub mod model;
pub mod parity;
pub mod prefetch;
pub mod prelude;
pub mod softsign;
pub mod train;
