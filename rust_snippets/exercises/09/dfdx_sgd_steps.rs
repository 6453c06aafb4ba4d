type Model = <Linear<1, 1> as BuildOnDevice<Cpu, f32>>::Built;
type Column = Tensor<(usize, Const<1>), f32, Cpu>;

fn train(model: &mut Model, x: &Column, y: &Column, lr: f64, steps: usize) -> Result<Vec<f32>> {
    // BEGIN SOLUTION
    let mut sgd = Sgd::new(
        model,
        SgdConfig {
            lr,
            ..Default::default()
        },
    );
    let mut grads = model.alloc_grads();
    let mut losses = Vec::new();
    for _ in 0..steps {
        let loss = mse_loss(model.forward(x.trace(grads)), y.clone());
        losses.push(loss.array());
        grads = loss.backward();
        sgd.update(model, &grads)?;
        model.zero_grads(&mut grads);
    }
    Ok(losses)
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let dev = Cpu::default();
let mut model = dev.build_module::<Linear<1, 1>, f32>();
model.weight.fill_with_zeros();
model.bias.fill_with_zeros();
let (xs, ys) = ([1f32, 2., 3.], [3f32, 5., 7.]);
let x = dev.tensor((xs.to_vec(), (3, Const::<1>)));
let y = dev.tensor((ys.to_vec(), (3, Const::<1>)));
let losses = train(&mut model, &x, &y, 0.05, 4)?;
let (mut w, mut b, mut expected) = (0f32, 0f32, Vec::new());
for _ in 0..4 {
    let errors: Vec<f32> = xs.iter().zip(&ys).map(|(x, y)| w * x + b - y).collect();
    expected.push(errors.iter().map(|e| e * e).sum::<f32>() / 3.);
    let dw = errors.iter().zip(&xs).map(|(e, x)| 2. * e * x).sum::<f32>() / 3.;
    let db = errors.iter().map(|e| 2. * e).sum::<f32>() / 3.;
    (w, b) = (w - 0.05 * dw, b - 0.05 * db);
}
assert_eq!(losses.len(), 4, "one loss a step");
let close = |a: f32, b: f32| (a - b).abs() < 1e-3 * (1. + b.abs());
assert!(
    close(losses[0], expected[0]),
    "loss 0 is taken before the first step: {} is expected, not {}",
    expected[0],
    losses[0]
);
for step in 1..4 {
    assert!(
        close(losses[step], expected[step]),
        "loss {step}: {} is expected, not {}; do gradients pile up?",
        expected[step],
        losses[step]
    );
}
assert!(
    close(model.weight.array()[0][0], w) && close(model.bias.array()[0], b),
    "the weights after the last step"
);
// END HIDDEN TESTS
