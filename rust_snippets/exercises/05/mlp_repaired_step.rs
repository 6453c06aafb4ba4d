fn train(
    model: &nn::Linear,
    optimizer: &mut nn::SGD,
    x: &Tensor,
    y: &Tensor,
    steps: usize,
) -> Result<Vec<f32>> {
    let mut losses = Vec::new();
    for _ in 0..steps {
        // BEGIN SOLUTION
        // STUB: optimizer.zero_grad();
        // STUB: let prediction = model.forward(x);
        // STUB: let loss = nn::loss::mse(&prediction, y);
        // STUB: loss.backward();
        // STUB: optimizer.step();
        // STUB: losses.push(loss.item());
        let prediction = model.forward(x)?;
        let loss = nn::loss::mse(&prediction, y)?;
        optimizer.backward_step(&loss)?;
        losses.push(loss.to_scalar()?);
        // END SOLUTION
    }
    Ok(losses)
}
// BEGIN HIDDEN TESTS
let vars = VarMap::new();
let vb = VarBuilder::from_varmap(&vars, DType::F32, &Device::Cpu);
let model = nn::linear_no_bias(2, 1, vb)?;
let x = Tensor::new(&[[1f32, 0.], [0., 1.], [1., 1.]], &Device::Cpu)?;
let y = Tensor::new(&[[20f32], [-10.], [10.]], &Device::Cpu)?;
let mut optimizer = nn::SGD::new(vars.all_vars(), 0.2)?;
let losses = train(&model, &mut optimizer, &x, &y, 50)?;
assert_eq!(losses.len(), 50, "one loss for each step");
assert!(
    losses[1] < losses[0],
    "the second loss must be below the first: {:?}",
    &losses[..2]
);
assert!(
    losses[49] < losses[0] / 100.0,
    "the last loss must be small: {} after {}",
    losses[49],
    losses[0]
);
// END HIDDEN TESTS
