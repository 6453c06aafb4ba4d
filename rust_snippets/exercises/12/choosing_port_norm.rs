fn rms_norm(x: &Tensor, weight: &Tensor, eps: f64) -> Result<Tensor> {
    // BEGIN SOLUTION
    let root = (x.sqr()?.mean_keepdim(D::Minus1)? + eps)?.sqrt()?; // [B, 1]
    Ok(x.broadcast_div(&root)?.broadcast_mul(weight)?)
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let x = Tensor::new(&[[3f32, 4.], [6., 8.], [0., 0.]], &Device::Cpu)?;
let weight = Tensor::new(&[1f32, 2.], &Device::Cpu)?;
let close =
    |found: &[f32], wanted: [f32; 2]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5);
let found = rms_norm(&x, &weight, 12.5)?;
assert_eq!(found.dims(), [3, 2], "the shape stays");
let rows = found.to_vec2::<f32>()?;
assert!(
    close(&rows[0], [0.6, 1.6]),
    "3 and 4, eps 12.5: the root is 5, so [0.6, 1.6] is wanted, not {:?}",
    rows[0]
);
assert!(
    close(&rows[1], [0.758947, 2.023858]),
    "6 and 8, eps 12.5: each row has its own root, here that of 62.5; {:?} came",
    rows[1]
);
assert!(
    close(&rows[2], [0., 0.]),
    "zeros stay zeros as long as eps is there"
);
let rows = rms_norm(&x, &weight, 1e-6)?.to_vec2::<f32>()?;
assert!(
    close(&rows[0], rows[1][..].try_into()?),
    "with a small eps a row and its double give the same"
);
// END HIDDEN TESTS
