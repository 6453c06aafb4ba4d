fn step(model: &nn::Linear, optimizer: &mut nn::Optimizer, parts: &[(Tensor, Tensor)]) {
    // BEGIN SOLUTION
    let all: i64 = parts.iter().map(|(x, _)| x.size()[0]).sum();
    optimizer.zero_grad();
    for (x, y) in parts {
        let share = x.size()[0] as f64 / all as f64;
        let loss = model.forward(x).mse_loss(y, tch::Reduction::Mean) * share;
        loss.backward();
    }
    optimizer.step();
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let x = Tensor::from_slice2(&[[1f32, 2.], [0., -1.], [3., 1.], [2., 2.]]);
let y = Tensor::from_slice2(&[[1f32], [0.], [-2.], [4.]]);
let weights_after = |sizes: &[i64]| -> Result<Vec<f32>> {
    let vs = nn::VarStore::new(Device::Cpu);
    let half = nn::LinearConfig {
        ws_init: nn::Init::Const(0.5),
        bs_init: Some(nn::Init::Const(0.)),
        bias: true,
    };
    let model = nn::linear(vs.root(), 2, 1, half);
    let mut optimizer = nn::Sgd::default().build(&vs, 0.1)?;
    let whole = |model: &nn::Linear| model.forward(&x).mse_loss(&y, tch::Reduction::Mean);
    if sizes.is_empty() {
        optimizer.backward_step(&whole(&model));
    } else {
        whole(&model).backward(); // old gradients
        let (xs, ys) = (x.split_with_sizes(sizes, 0), y.split_with_sizes(sizes, 0));
        let parts: Vec<(Tensor, Tensor)> = xs.into_iter().zip(ys).collect();
        step(&model, &mut optimizer, &parts);
    }
    let all = Tensor::cat(&[model.ws.flatten(0, -1), model.bs.context("a bias")?], 0);
    Ok(Vec::<f32>::try_from(all)?)
};
let wanted = weights_after(&[])?;
for sizes in [&[4][..], &[2, 2], &[3, 1]] {
    let found = weights_after(sizes)?;
    assert!(
        found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-5),
        "parts of {sizes:?}: the weights must be {wanted:?}, and are {found:?}"
    );
}
// END HIDDEN TESTS
