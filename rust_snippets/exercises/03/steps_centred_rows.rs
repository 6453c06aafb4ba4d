type Matrix = Tensor<Rank2<2, 3>, f32, Cpu>;

fn centred(x: Matrix) -> Matrix {
    // BEGIN SOLUTION
    let mean = x.clone().mean::<Rank1<2>, _>();
    x - mean.broadcast()
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let dev = Cpu::default();
let found = centred(dev.tensor([[1., 2., 6.], [0., 0., 0.]])).array();
assert_eq!(
    found,
    [[-2., -1., 3.], [0., 0., 0.]],
    "the rows [1, 2, 6] and [0, 0, 0]"
);
let found = centred(dev.tensor([[100., 101., 102.], [-1., 0., 1.]])).array();
assert_eq!(
    found,
    [[-1., 0., 1.], [-1., 0., 1.]],
    "each row has a mean of its own"
);
// END HIDDEN TESTS
