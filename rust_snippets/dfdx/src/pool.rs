//! A layer of our own: with it, dfdx's max-pooling sends gradients back as PyTorch's does.
//!
//! Flat parts of a picture are full of 2 x 2 squares with several equal maxima. PyTorch gives the
//! gradient to the first of them; dfdx's `MaxPool2D` gives the whole gradient to each.

use dfdx::prelude::*;

/// Sets all but the first of a square's equal maxima to 0. Behind a ReLU nothing is below 0, so
/// the maximum stays, and the pooling that follows finds it once.
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

    fn try_forward(&self, mut x: Self::Output) -> Result<Self::Output, D::Err> {
        if T::OWNS_TAPE {
            let mut values = vec![0.0; x.shape().num_elements()];
            x.copy_into(&mut values);
            keep_first_of_equals(&mut values, W);
            x.copy_from(&values); // not an operation for the tape: gradients pass through
        }
        Ok(x)
    }
}

/// The same for plain numbers, in rows of `width`.
fn keep_first_of_equals(x: &mut [f32], width: usize) {
    for rows in x.chunks_mut(2 * width) {
        for left in (0..width).step_by(2) {
            let square = [left, left + 1, left + width, left + width + 1];
            let largest = square.iter().fold(0.0, |max: f32, &i| max.max(rows[i]));
            let mut found = false;
            for i in square {
                let equal = rows[i] == largest;
                if equal && found {
                    rows[i] = 0.0;
                }
                found |= equal;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_maxima_the_first_gets_the_gradient() {
        let dev = Cpu::default();
        // [1, 1, 2, 6]: four equals, two equals, and a square without any.
        let shape = (1, Const::<1>, Const::<2>, Const::<6>);
        let rows = vec![5., 5., 1., 7., 3., 4., 5., 5., 7., 2., 1., 2.];
        let x: Tensor<_, f32, _> = dev.tensor((rows, shape));
        let model = dev.build_module::<(ReLU, FirstOfEquals, MaxPool2D<2, 2>), f32>();
        let largest = model.forward(x.leaky_trace());
        assert_eq!(largest.as_vec(), [5., 7., 4.]);
        let gradient = largest.sum().backward().get(&x);
        let expected = [1., 0., 0., 1., 0., 1., 0., 0., 0., 0., 0., 0.];
        assert_eq!(gradient.as_vec(), expected);
    }
}
