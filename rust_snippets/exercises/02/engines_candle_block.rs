fn block(x: &Tensor, conv: &nn::Conv2d) -> Result<Tensor> {
    // BEGIN SOLUTION
    let x = x.apply(conv)?.relu()?;
    Ok(candle_cells::model::max_pool2(&x)?)
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let x = Var::new(
    &[[[[1f32, 2., -5., -6.], [3., 4., -7., -8.]]]],
    &Device::Cpu,
)?;
let one = Tensor::new(&[[[[2f32]]]], &Device::Cpu)?; // a convolution that doubles each number
let conv = nn::Conv2d::new(one, None, Default::default());
let y = block(x.as_tensor(), &conv)?;
assert_eq!(
    y.dims(),
    [1, 1, 1, 2],
    "a picture of 2 by 4 becomes one of 1 by 2"
);
assert_eq!(
    y.flatten_all()?.to_vec1::<f32>()?,
    [8., 0.],
    "doubled, without what is below zero, the largest of each square"
);
let grads = y.sum_all()?.backward()?;
let grad = grads
    .get(&x)
    .context("the block's output must depend on x")?;
let grad = grad.flatten_all()?.to_vec1::<f32>()?;
assert_eq!(
    grad,
    [0., 0., 0., 0., 0., 2., 0., 0.],
    "the largest number gets the square's whole gradient"
);
let two = Var::new(&[[[[3f32, 3.], [3., 3.]]]], &Device::Cpu)?;
let grads = block(two.as_tensor(), &conv)?.sum_all()?.backward()?;
let grad = grads
    .get(&two)
    .context("the block's output must depend on x")?;
let grad = grad.flatten_all()?.to_vec1::<f32>()?;
assert_eq!(
    grad,
    [2., 0., 0., 0.],
    "of equal numbers the first gets the whole gradient"
);
// END HIDDEN TESTS
