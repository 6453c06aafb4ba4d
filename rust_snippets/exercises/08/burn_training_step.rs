use burn::nn::{
    Linear, LinearConfig,
    loss::{MseLoss, Reduction},
};

// BEGIN SOLUTION
// STUB: fn train(model: Linear, x: Tensor<2>, y: Tensor<2>) -> Result<(Linear, Vec<f32>)> {
// STUB:     let adam = AdamConfig::new().init();
// STUB:     let mut losses = vec![];
// STUB:     for _ in 0..200 {
// STUB:         let loss = MseLoss::new().forward(model.forward(x), y, Reduction::Mean);
// STUB:         adam.zero_grad();
// STUB:         loss.backward();
// STUB:         adam.step(0.05, model, loss.grad);
// STUB:         losses.push(loss.try_into_scalar::<f32>()?);
// STUB:     }
// STUB:     Ok((model, losses))
// STUB: }
fn train(mut model: Linear, x: Tensor<2>, y: Tensor<2>) -> Result<(Linear, Vec<f32>)> {
    let mut adam = AdamConfig::new().init();
    let mut losses = vec![];
    for _ in 0..200 {
        let prediction = model.forward(x.clone());
        let loss = MseLoss::new().forward(prediction, y.clone(), Reduction::Mean);
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = adam.step(0.05, model, grads);
        losses.push(loss.try_into_scalar::<f32>()?);
    }
    Ok((model, losses))
}
// END SOLUTION

// BEGIN HIDDEN TESTS
let device = Device::flex().autodiff();
let x = Tensor::<2>::from_floats([[0., 1.], [1., 0.], [1., 1.], [0., 0.]], &device);
let y = Tensor::<2>::from_floats([[3.], [1.], [4.], [0.]], &device);
let (model, losses) = train(LinearConfig::new(2, 1).init(&device), x.clone(), y.clone())?;
assert_eq!(losses.len(), 200, "one loss for each of the 200 steps");
assert!(
    losses[199] < losses[0] / 10.,
    "the last loss must be a tenth of the first at most: {} and {}",
    losses[199],
    losses[0]
);
let after = MseLoss::new()
    .forward(model.forward(x), y, Reduction::Mean)
    .try_into_scalar::<f32>()?;
assert!(
    after < losses[0] / 10.,
    "the returned model must be the trained one; its loss is {after}"
);
// END HIDDEN TESTS
