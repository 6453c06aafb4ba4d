fn log_sum_exp(x: Tensor<2>) -> Tensor<2> {
    // BEGIN SOLUTION
    let largest = x.clone().max_dim(1); // [B, 1]
    (x - largest.clone()).exp().sum_dim(1).log() + largest
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let device = Device::flex();
let of = |rows: [[f32; 2]; 2]| -> Result<Vec<f32>> {
    let found = log_sum_exp(Tensor::from_data(rows, &device));
    ensure!(
        found.dims() == [2, 1],
        "the result must be [2, 1], and is {:?}",
        found.dims()
    );
    Ok(found.try_into_vec_as()?)
};
let near =
    |found: &[f32], wanted: [f32; 2]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-3);
let found = of([[0., 1.], [2., 2.]])?;
assert!(
    near(&found, [1.3133, 2.6931]),
    "[0, 1] and [2, 2] give 1.3133 and 2.6931, not {found:?}"
);
let found = of([[1000., 1001.], [0., 0.]])?;
assert!(
    near(&found, [1001.3133, 0.6931]),
    "[1000, 1001] and [0, 0] give 1001.3133 and 0.6931, not {found:?}"
);
let found = of([[-1000., -1001.], [0., 1.]])?;
assert!(
    near(&found, [-999.6867, 1.3133]),
    "[-1000, -1001] gives -999.6867 beside a row of 0 and 1, not {found:?}"
);
// END HIDDEN TESTS
