fn train_step(
    model: &impl Module,
    optimizer: &mut nn::Optimizer,
    images: &Tensor,
    labels: &Tensor,
) -> Result<f64> {
    // BEGIN SOLUTION
    let loss = model.forward(images).cross_entropy_for_logits(labels);
    optimizer.backward_step(&loss);
    Ok(f64::try_from(&loss)?)
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let vs = nn::VarStore::new(Device::Cpu);
let zero = nn::LinearConfig {
    ws_init: nn::Init::Const(0.),
    bs_init: Some(nn::Init::Const(0.)),
    bias: true,
};
let layer = nn::linear(vs.root(), 2, 2, zero);
let mut optimizer = nn::Sgd::default().build(&vs, 1.0)?;
let images = Tensor::from_slice2(&[[1f32, 0.], [0., 1.]]);
let labels = Tensor::from_slice(&[0i64, 1]);
layer
    .forward(&images)
    .cross_entropy_for_logits(&labels)
    .backward(); // old gradients
let first = train_step(&layer, &mut optimizer, &images, &labels)?;
assert!(
    (first - 0.693147).abs() < 1e-5,
    "two classes, no weights: the first loss is ln 2, not {first}"
);
let weights = Vec::<f32>::try_from(layer.ws.flatten(0, -1))?;
assert!(
    weights
        .iter()
        .zip([0.25, -0.25, -0.25, 0.25])
        .all(|(a, b)| (a - b).abs() < 1e-6),
    "the first step moves each weight by 0.25: old gradients must not count; they are now {weights:?}"
);
let second = train_step(&layer, &mut optimizer, &images, &labels)?;
assert!(
    (second - 0.474077).abs() < 1e-5,
    "the second loss is 0.474077, before its step, not {second}"
);
// END HIDDEN TESTS
