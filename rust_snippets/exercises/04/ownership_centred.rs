fn centred(x: Tensor<1>) -> Tensor<1> {
    // BEGIN SOLUTION
    // STUB: let mean = x.mean();
    let mean = x.clone().mean();
    // END SOLUTION
    x - mean
}
// BEGIN HIDDEN TESTS
let found = centred(Tensor::from_data([1.0, 2.0, 6.0], &Device::flex()));
assert_eq!(
    found.try_into_vec_as::<f32>()?,
    [-2.0, -1.0, 3.0],
    "1, 2 and 6 without their mean"
);
// END HIDDEN TESTS
