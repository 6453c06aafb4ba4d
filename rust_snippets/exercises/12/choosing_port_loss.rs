fn huber(a: Tensor<2>, b: Tensor<2>) -> Tensor<1> {
    // BEGIN SOLUTION
    let far = (a - b).abs();
    let near = far.clone().clamp_max(1.0);
    (near.clone() * (far - near * 0.5)).mean()
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let device = Device::flex().autodiff();
let a = Tensor::<2>::from_floats([[0., 3.], [-2., 1.]], &device).require_grad();
let b = Tensor::<2>::from_floats([[0.5, 0.], [0., 1.]], &device);
let loss = huber(a.clone(), b);
let value: f64 = loss.clone().try_into_scalar()?;
// 0.125 for a distance of 0.5; 2.5 and 1.5 for 3 and 2, beyond the cap; 0 for 0
assert!(
    (value - 1.03125).abs() < 1e-6,
    "distances 0.5, 3, 2 and 0: the mean loss is 1.03125, not {value}"
);
let grads = loss.backward();
let grad = a
    .grad(&grads)
    .context("the loss must depend on its first argument")?;
let grad: Vec<f32> = grad.try_into_vec_as()?;
let wanted = [-0.125, 0.25, -0.25, 0.];
assert!(
    grad.iter().zip(wanted).all(|(g, w)| (g - w).abs() < 1e-6),
    "the gradient must be {wanted:?}, as in Candle, not {grad:?}"
);
// END HIDDEN TESTS
