//! The CIFAR-10 CNN in tch, the Rust bindings of libtorch: a module a step, each short enough for a notebook cell.

pub mod data;
pub mod linear_regression;
pub mod mlp;
pub mod model;
pub mod parity;
pub mod prelude;
pub mod train;
