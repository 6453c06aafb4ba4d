fn standardise(x: &Tensor) -> Result<Tensor> {
    // BEGIN SOLUTION
    let centred = x.broadcast_sub(&x.mean_keepdim(1)?)?; //   [N, F]
    let deviation = centred.sqr()?.mean_keepdim(1)?.sqrt()?; // [N, 1]
    Ok(centred.broadcast_div(&deviation)?)
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let small = standardise(&Tensor::new(&[[1f32, 3.]], &Device::Cpu)?)?;
assert_eq!(small.dims(), [1, 2], "the shape must stay [N, F]");
assert_eq!(
    small.to_vec2::<f32>()?,
    [[-1., 1.]],
    "the row [1, 3] must become [-1, 1]: divide by F, not F - 1"
);
let x = Tensor::new(
    &[[0f32, 2., 4., 10.], [1., 1., 1., 5.], [-3., 0., 3., 0.]],
    &Device::Cpu,
)?;
let y = standardise(&x)?;
for (row, (mean, square)) in y
    .mean(1)?
    .to_vec1::<f32>()?
    .into_iter()
    .zip(y.sqr()?.mean(1)?.to_vec1::<f32>()?)
    .enumerate()
{
    assert!(
        mean.abs() < 1e-5,
        "the mean of row {row} must be 0, and is {mean}"
    );
    assert!(
        (square - 1.).abs() < 1e-5,
        "the mean square of row {row} must be 1, and is {square}"
    );
}
// END HIDDEN TESTS
