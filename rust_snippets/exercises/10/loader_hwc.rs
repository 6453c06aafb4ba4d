/// Bytes `[H, W, 3]` to numbers from 0 to 1, `[3, H, W]`.
fn from_file(bytes: &[u8], height: usize, width: usize) -> Result<Tensor> {
    // BEGIN SOLUTION
    // STUB: let picture = Tensor::from_slice(bytes, bytes.len(), &Device::Cpu)?;
    // STUB: let picture = (picture / 255.)?.to_dtype(DType::F32)?;
    // STUB: Ok(picture.reshape((3, height, width))?)
    let picture = Tensor::from_slice(bytes, (height, width, 3), &Device::Cpu)?;
    let picture = (picture.to_dtype(DType::F32)? / 255.)?;
    Ok(picture.permute((2, 0, 1))?)
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let bytes = [0, 51, 102, 255, 51, 0, 0, 0, 255, 102, 51, 0]; // 2 rows of 2 pixels
let picture = from_file(&bytes, 2, 2)?;
assert_eq!(picture.dims(), [3, 2, 2], "the shape must be [3, H, W]");
assert_eq!(picture.dtype(), DType::F32, "the numbers must be f32");
let tenths = (picture.flatten_all()? * 5.)?.round()?.to_vec1::<f32>()?;
assert!(
    tenths.iter().any(|x| (1. ..5.).contains(x)),
    "51 of 255 is 0.2: divide floats, not bytes"
);
assert_eq!(
    tenths,
    [0., 5., 0., 2., 1., 1., 0., 1., 2., 0., 5., 0.],
    "all reds must come first, then all greens, then all blues (in fifths)"
);
let wide: Vec<u8> = (0..30).collect();
let wide = (from_file(&wide, 2, 5)? * 255.)?
    .round()?
    .to_vec3::<f32>()?;
assert_eq!(
    wide[1][1][3], 25.,
    "height and width must not be swapped: row 1, column 3, green"
);
// END HIDDEN TESTS
