use candle_core::cpu_backend::unary_map;
use candle_core::{CpuStorage, CustomOp1, Layout, Shape};

struct Leaky;

impl CustomOp1 for Leaky {
    fn name(&self) -> &'static str {
        "leaky"
    }

    fn cpu_fwd(
        &self,
        storage: &CpuStorage,
        layout: &Layout,
    ) -> candle_core::Result<(CpuStorage, Shape)> {
        // BEGIN SOLUTION
        let y = unary_map(storage.as_slice::<f32>()?, layout, |x| {
            if x > 0. { x } else { 0.1 * x }
        });
        Ok((CpuStorage::F32(y), layout.shape().clone()))
        // END SOLUTION
    }

    fn bwd(&self, x: &Tensor, _y: &Tensor, grad: &Tensor) -> candle_core::Result<Option<Tensor>> {
        // BEGIN SOLUTION
        let smaller = (grad * 0.1)?;
        Ok(Some(x.gt(0f32)?.where_cond(grad, &smaller)?))
        // END SOLUTION
    }
}

// BEGIN HIDDEN TESTS
let x = Var::new(&[[-10f32, 0.], [1., 3.]], &Device::Cpu)?;
let y = x.apply_op1(Leaky)?;
assert_eq!(y.to_vec2::<f32>()?, [[-1., 0.], [1., 3.]], "values");
assert_eq!(
    x.t()?.apply_op1(Leaky)?.to_vec2::<f32>()?,
    [[-1., 1.], [0., 3.]],
    "values of a transposed tensor"
);
assert_eq!(
    x.get(1)?.apply_op1(Leaky)?.to_vec1::<f32>()?,
    [1., 3.],
    "values of the second row alone"
);
let gradient = |y: Tensor| -> Result<Vec<Vec<f32>>> {
    let grads = y.backward()?;
    Ok(grads
        .get(&x)
        .expect("x must have a gradient")
        .to_vec2::<f32>()?)
};
assert_eq!(
    gradient(y.sum_all()?)?,
    [[0.1, 0.1], [1., 1.]],
    "gradient of the sum"
);
assert_eq!(
    gradient((&y * 3.)?.sum_all()?)?,
    [[0.3, 0.3], [3., 3.]],
    "the gradient of the result must be a factor"
);
let turned = (x.t()?.apply_op1(Leaky)? * Tensor::new(&[[1f32, 2.], [3., 4.]], &Device::Cpu)?)?;
assert_eq!(
    gradient(turned.sum_all()?)?,
    [[0.1, 0.3], [2., 4.]],
    "gradient through a transposed tensor"
);
// END HIDDEN TESTS
