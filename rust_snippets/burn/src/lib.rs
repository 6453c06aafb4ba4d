//! The CIFAR-10 CNN in Burn: a module a step, each short enough for a notebook cell.

#![recursion_limit = "256"] // Burn's types nest deeper than the compiler's default of 128

pub mod data;
pub mod epoch_lines;
pub mod learner;
pub mod linear_regression;
pub mod loader;
pub mod mlp;
pub mod model;
pub mod parity;
pub mod prelude;
pub mod train;
pub mod weights;
