fn softmax(x: &Tensor) -> Result<Tensor> {
    // BEGIN SOLUTION
    // STUB: let e = x.exp()?; // [B, C]
    let e = x.broadcast_sub(&x.max_keepdim(1)?)?.exp()?; // [B, C]
    // END SOLUTION
    Ok(e.broadcast_div(&e.sum_keepdim(1)?)?)
}
// BEGIN HIDDEN TESTS
let large = Tensor::new(&[[1000f32, 0.], [-1000., -1000.]], &Device::Cpu)?;
assert_eq!(
    softmax(&large)?.to_vec2::<f32>()?,
    [[1., 0.], [0.5, 0.5]],
    "softmax of large and of small scores"
);
let x = Tensor::new(&[[0f32, 3f32.ln()], [1., 1. + 3f32.ln()]], &Device::Cpu)?;
for row in softmax(&x)?.to_vec2::<f32>()? {
    assert!(
        (row[0] - 0.25).abs() < 1e-6 && (row[1] - 0.75).abs() < 1e-6,
        "scores 0 and ln 3 give 1/4 and 3/4"
    );
}
// END HIDDEN TESTS
