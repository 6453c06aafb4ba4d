fn mse(prediction: &Tensor, target: &Tensor) -> Result<Tensor> {
    // BEGIN SOLUTION
    ensure!(
        prediction.dims() == target.dims(),
        "the prediction is {:?}, the target {:?}",
        prediction.dims(),
        target.dims()
    );
    Ok((prediction - target)?.sqr()?.mean_all()?)
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let prediction = Var::new(&[[1f32], [4.]], &Device::Cpu)?;
let target = Tensor::new(&[[3f32], [4.]], &Device::Cpu)?;
let loss = mse(prediction.as_tensor(), &target)?;
assert_eq!(
    loss.to_scalar::<f32>()?,
    2.0,
    "the squares of -2 and 0 have the mean 2"
);
let grads = loss.backward()?;
let grad = grads
    .get(&prediction)
    .context("the loss must depend on the prediction")?;
assert_eq!(
    grad.flatten_all()?.to_vec1::<f32>()?,
    [-2.0, 0.0],
    "the gradient is 2 (p - t) / 2"
);
let flat = Tensor::new(&[3f32, 4.], &Device::Cpu)?;
assert!(
    mse(prediction.as_tensor(), &flat).is_err(),
    "[2, 1] and [2] are not the same shape"
);
let one = Tensor::new(&[[3f32]], &Device::Cpu)?;
assert!(
    mse(prediction.as_tensor(), &one).is_err(),
    "[2, 1] and [1, 1] are not the same shape"
);
// END HIDDEN TESTS
