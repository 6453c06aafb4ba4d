//! The CIFAR-10 CNN in dfdx, whose networks are types: a module a step, each short enough for a notebook cell.

#![feature(generic_const_exprs)] // the size after a convolution is computed in the type
#![allow(incomplete_features)]

pub mod data;
pub mod linear_regression;
pub mod mlp;
pub mod model;
pub mod parity;
pub mod pool;
pub mod prelude;
pub mod train;
pub mod weights;
