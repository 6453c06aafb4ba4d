type Model = <Linear<3, 1> as BuildOnDevice<Cpu, f32>>::Built;
type Inputs = Tensor<(usize, Const<3>), f32, Cpu>;
type Targets = Tensor<(usize, Const<1>), f32, Cpu>;

fn accumulated(model: &Model, parts: Vec<(Inputs, Targets)>) -> Gradients<f32, Cpu> {
    // BEGIN SOLUTION
    let number = parts.len() as f32;
    let mut grads = model.alloc_grads();
    for (x, y) in parts {
        let loss = mse_loss(model.forward(x.traced(grads)), y);
        grads = (loss / number).backward();
    }
    grads
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let dev = Cpu::default();
let model = dev.build_module::<Linear<3, 1>, f32>();
let xs: Vec<f32> = (0..18).map(|i| ((i * 7) % 11) as f32 / 4. - 1.).collect();
let ys: Vec<f32> = (0..6).map(|i| ((i * 5) % 7) as f32 - 2.).collect();
let cut = |from: usize, to: usize| {
    let x: Inputs = dev.tensor((xs[3 * from..3 * to].to_vec(), (to - from, Const::<3>)));
    let y: Targets = dev.tensor((ys[from..to].to_vec(), (to - from, Const::<1>)));
    (x, y)
};
let (x, y) = cut(0, 6);
let whole = mse_loss(model.forward(x.leaky_trace()), y).backward();
for size in [3, 2] {
    let parts = (0..6)
        .step_by(size)
        .map(|from| cut(from, from + size))
        .collect();
    let grads = accumulated(&model, parts);
    let expected = [
        whole.get(&model.weight).as_vec(),
        whole.get(&model.bias).as_vec(),
    ]
    .concat();
    let found = [
        grads.get(&model.weight).as_vec(),
        grads.get(&model.bias).as_vec(),
    ]
    .concat();
    for (found, expected) in found.iter().zip(&expected) {
        assert!(
            (found - expected).abs() < 1e-4,
            "{} parts: a gradient is {found}, that of the whole batch {expected}",
            6 / size
        );
    }
}
// END HIDDEN TESTS
