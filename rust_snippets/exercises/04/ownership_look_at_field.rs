struct Net {
    weight: Tensor,
}

// BEGIN SOLUTION
// STUB: fn weight(net: &Net) -> Tensor {
// STUB:     net.weight
// STUB: }
fn weight(net: &Net) -> &Tensor {
    &net.weight
}
// END SOLUTION
// BEGIN HIDDEN TESTS
let net = Net {
    weight: Tensor::ones([2, 2], (Kind::Float, Device::Cpu)),
};
assert_eq!(weight(&net).size(), [2, 2], "the weight is 2 by 2");
let _ = weight(&net).shallow_clone().fill_(3.0);
assert_eq!(
    Vec::<f32>::try_from(net.weight.flatten(0, -1))?,
    [3.0; 4],
    "what was written into the result must be seen in the network"
);
// END HIDDEN TESTS
