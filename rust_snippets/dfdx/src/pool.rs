//! A layer of our own: what makes dfdx's max-pooling send gradients back as PyTorch does.
//!
//! Flat parts of a picture are full of 2 x 2 squares with several equal maxima. PyTorch gives the
//! gradient to the first of them; dfdx's `MaxPool2D` gives the whole gradient to each.

use dfdx::prelude::*;

/// Sets all but the first of a square's equal maxima to 0. Behind a ReLU the maximum stays the same.
#[derive(Clone, Debug, Default)]
pub struct FirstOfEquals;

impl ZeroSizedModule for FirstOfEquals {}
impl NonMutableModule for FirstOfEquals {}

impl<D, T, const C: usize, const H: usize, const W: usize>
    Module<Tensor<(usize, Const<C>, Const<H>, Const<W>), f32, D, T>> for FirstOfEquals
where
    D: Device<f32>,
    T: Tape<f32, D>,
{
    type Output = Tensor<(usize, Const<C>, Const<H>, Const<W>), f32, D, T>;
    type Error = D::Err;

    fn try_forward(&self, x: Self::Output) -> Result<Self::Output, D::Err> {
        if !T::OWNS_TAPE {
            return Ok(x); // no gradients, nothing to do
        }
        let keep = first_of_equals(&x.as_vec(), W);
        let keep = x.device().try_tensor_from_vec(keep, *x.shape())?;
        x.try_mul(keep)
    }
}

/// For rows of `width` pixels: 0 for the later ones of a 2 x 2 square's equal maxima, 1 elsewhere.
fn first_of_equals(x: &[f32], width: usize) -> Vec<f32> {
    let mut keep = vec![1.0; x.len()];
    for top in (0..x.len()).step_by(2 * width) {
        for left in (top..top + width).step_by(2) {
            let square = [left, left + 1, left + width, left + width + 1];
            let largest = square.iter().fold(0.0, |max: f32, &i| max.max(x[i]));
            for &later in square.iter().filter(|&&i| x[i] == largest).skip(1) {
                keep[later] = 0.0;
            }
        }
    }
    keep
}
