fn set_trainable(vs: &nn::VarStore, part: &str, trainable: bool) -> usize {
    // BEGIN SOLUTION
    let may_be_trained: Vec<_> = vs
        .trainable_variables()
        .iter()
        .map(Tensor::data_ptr)
        .collect();
    let mut count = 0;
    for (name, tensor) in vs.variables() {
        let below = part.is_empty() || name.starts_with(&format!("{part}."));
        if below && may_be_trained.contains(&tensor.data_ptr()) {
            let _ = tensor.set_requires_grad(trainable);
            count += 1;
        }
    }
    count
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let vs = nn::VarStore::new(Device::Cpu);
let encoder = vs.root() / "encoder";
let fc1 = nn::linear(&encoder / "fc1", 4, 4, Default::default());
let fc10 = nn::linear(&encoder / "fc10", 4, 2, Default::default());
let buffer = (&encoder / "fc1").ones_no_train("running_mean", &[4]);

assert_eq!(
    set_trainable(&vs, "encoder.fc1", false),
    2,
    "below encoder.fc1 are a weight and a bias"
);
assert!(!fc1.ws.requires_grad(), "encoder.fc1 must be frozen");
assert!(
    fc10.ws.requires_grad(),
    "encoder.fc10 must not be frozen: it is not below encoder.fc1"
);

let x = Tensor::ones([3, 4], (Kind::Float, Device::Cpu));
let before = (fc1.ws.copy(), fc10.ws.copy());
let mut optimizer = nn::Sgd::default().build(&vs, 0.1)?;
let loss = x.apply(&fc1).apply(&fc10).square().sum(Kind::Float);
optimizer.backward_step(&loss);
assert!(fc1.ws == before.0, "a step must not move the frozen layer");
assert!(fc10.ws != before.1, "a step must move the other layer");

assert_eq!(
    set_trainable(&vs, "", true),
    4,
    "the empty path means all four"
);
assert!(
    fc1.ws.requires_grad(),
    "encoder.fc1 must be trainable again"
);
assert!(!buffer.requires_grad(), "a buffer must stay a buffer");
assert_eq!(
    set_trainable(&vs, "encoder.fc", false),
    0,
    "nothing is called encoder.fc"
);
// END HIDDEN TESTS
