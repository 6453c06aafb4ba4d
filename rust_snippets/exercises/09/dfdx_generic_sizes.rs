fn two_layers<const A: usize, const B: usize, const C: usize>(
    x: Tensor<Rank1<A>, f32, Cpu>,
    first: Tensor<Rank2<A, B>, f32, Cpu>,
    second: Tensor<Rank2<B, C>, f32, Cpu>,
) -> Tensor<Rank1<C>, f32, Cpu> {
    // BEGIN SOLUTION
    x.matmul(first).relu().matmul(second)
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let dev = Cpu::default();
let first = dev.tensor([[1., -1., 0.], [0., -1., 1.]]);
let second = dev.tensor([[1., 0.], [5., 5.], [0., 2.]]);
let y = two_layers(dev.tensor([2., 3.]), first, second);
assert_eq!(
    y.array(),
    [2., 6.],
    "2 -> 3 -> 2: is there a ReLU between the two products?"
);
let y = two_layers(
    dev.tensor([-1.]),
    dev.tensor([[-4.]]),
    dev.tensor([[-1., 1., 2.]]),
);
assert_eq!(
    y.array(),
    [-4., 4., 8.],
    "1 -> 1 -> 3: there is no ReLU behind the second product"
);
// END HIDDEN TESTS
