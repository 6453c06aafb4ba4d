#[derive(Clone, Debug, Default)]
struct Silu;

impl ZeroSizedModule for Silu {} // no weights
impl NonMutableModule for Silu {} // the same in training and evaluation

impl<S: Shape, T: Tape<f32, Cpu>> Module<Tensor<S, f32, Cpu, T>> for Silu {
    type Output = Tensor<S, f32, Cpu, T>;
    type Error = <Cpu as HasErr>::Err;

    fn try_forward(&self, x: Tensor<S, f32, Cpu, T>) -> Result<Self::Output, Self::Error> {
        // BEGIN SOLUTION
        x.with_empty_tape().try_sigmoid()?.try_mul(x)
        // END SOLUTION
    }
}

// BEGIN HIDDEN TESTS
let dev = Cpu::default();
let points = [-2f32, -0.5, 0., 1., 3.];
let x: Tensor<Rank1<5>, f32, Cpu> = dev.tensor(points);
let values = Silu.forward(x.clone()).array();
let gradient = Silu
    .forward(x.leaky_trace())
    .sum()
    .backward()
    .get(&x)
    .array();
for (i, x) in points.into_iter().enumerate() {
    let s = 1. / (1. + (-x).exp());
    assert!(
        (values[i] - x * s).abs() < 1e-5,
        "silu({x}) is {}, not {}",
        x * s,
        values[i]
    );
    let expected = s + x * s * (1. - s);
    assert!(
        (gradient[i] - expected).abs() < 1e-4,
        "the gradient at {x} is {expected}, not {}",
        gradient[i]
    );
}
let model = dev.build_module::<(Linear<4, 8>, Silu, Linear<8, 2>), f32>();
let y = model.forward(dev.tensor((vec![1.; 12], (3, Const::<4>))));
assert_eq!(
    y.shape().concrete(),
    [3, 2],
    "a network with the layer in its middle"
);
// END HIDDEN TESTS
