fn adam(vars: Vec<Var>, learning_rate: f64) -> Result<nn::AdamW> {
    // BEGIN SOLUTION
    let settings = nn::ParamsAdamW {
        lr: learning_rate,
        weight_decay: 0.0,
        ..Default::default()
    };
    Ok(nn::AdamW::new(vars, settings)?)
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let w = Var::new(&[2f32, -1.], &Device::Cpu)?;
let mut optimizer = adam(vec![w.clone()], 0.1)?;
let mut seen = Vec::new();
for _ in 0..2 {
    optimizer.backward_step(&w.sqr()?.sum_all()?)?; // the gradient is 2 w
    seen.extend(w.to_vec1::<f32>()?);
}
let wanted = [1.9, -0.9, 1.800166, -0.800412];
assert!(
    seen.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 5e-5),
    "from 2 and -1, two steps of 0.1 on the sum of squares give {wanted:?} in PyTorch, and {seen:?} here"
);
let settings = optimizer.params();
assert_eq!(
    optimizer.learning_rate(),
    0.1,
    "the learning rate is the one that was given"
);
assert_eq!(
    settings.weight_decay, 0.0,
    "PyTorch's Adam lets no weight decay"
);
assert_eq!(settings.eps, 1e-8, "PyTorch's epsilon");
// END HIDDEN TESTS
