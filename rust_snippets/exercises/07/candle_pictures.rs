fn batch(pictures: &Tensor) -> Result<Tensor> {
    // BEGIN SOLUTION
    ensure!(
        pictures.dtype() == DType::U8,
        "pictures are bytes, not {:?}",
        pictures.dtype()
    );
    let scaled = pictures.to_dtype(DType::F32)?.affine(1. / 255., -0.5)?; // [N, H, W, 3]
    Ok(scaled.permute((0, 3, 1, 2))?.contiguous()?) //                        [N, 3, H, W]
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let bytes: Vec<u8> = (0..2 * 2 * 4 * 3)
    .map(|i| [255, 0, 51][i % 3] - (i / 24) as u8 * [55, 0, 0][i % 3])
    .collect();
let pictures = Tensor::from_vec(bytes, (2, 2, 4, 3), &Device::Cpu)?; // red 255 or 200, green 0, blue 51
let made = batch(&pictures)?;
assert_eq!(
    made.dims(),
    [2, 3, 2, 4],
    "the shape must be [N, 3, height, width]"
);
assert_eq!(made.dtype(), DType::F32, "the type must be f32");
let close = |found: Vec<f32>, wanted: f32| found.iter().all(|value| (value - wanted).abs() < 1e-6);
assert!(
    close(made.i((0, 0))?.flatten_all()?.to_vec1()?, 0.5),
    "the byte 255 must become 0.5, in channel 0"
);
assert!(
    close(made.i((0, 1))?.flatten_all()?.to_vec1()?, -0.5),
    "the byte 0 must become -0.5, in channel 1"
);
assert!(
    close(made.i((1, 2))?.flatten_all()?.to_vec1()?, -0.3),
    "the byte 51 must become -0.3, in channel 2"
);
assert!(
    close(made.i((1, 0))?.flatten_all()?.to_vec1()?, 200. / 255. - 0.5),
    "the second picture must stay second"
);
assert!(made.is_contiguous(), "the numbers must lie in a row");
let error = batch(&made)
    .err()
    .expect("floats must be refused")
    .to_string();
assert!(
    error.contains("F32"),
    "the error must name the type, but says: {error}"
);
// END HIDDEN TESTS
