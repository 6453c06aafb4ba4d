fn rows(x: &Tensor, features: i64) -> Result<Tensor> {
    // BEGIN SOLUTION
    let size = x.size();
    ensure!(size.len() > 1, "{size:?} has no axis for the features");
    let found: i64 = size[1..].iter().product();
    ensure!(
        found == features,
        "an image has {found} numbers, not {features}"
    );
    Ok(x.flatten(1, -1))
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let images = |size: &[i64]| Tensor::zeros(size, (Kind::Float, Device::Cpu));
let whole = rows(&images(&[64, 64, 8, 8]), 4096)?;
assert_eq!(
    whole.size(),
    [64, 4096],
    "64 images of 64 x 8 x 8 are 64 rows"
);
let one = rows(&images(&[1, 3, 4, 4]), 48)?;
assert_eq!(one.size(), [1, 48], "one image is one row");

let shrunk = rows(&images(&[64, 64, 6, 6]), 4096);
let text = format!(
    "{:#}",
    shrunk
        .err()
        .expect("64 images of 64 x 6 x 6 must be an Err")
);
assert!(
    text.contains("2304") && text.contains("4096"),
    "the text must name 2304 and 4096; it is: {text}"
);
assert!(
    rows(&images(&[4096]), 4096).is_err(),
    "a tensor of one axis is no batch: an Err"
);

let numbered = Tensor::arange(12, (Kind::Float, Device::Cpu)).view([2, 3, 2, 1]);
assert_eq!(
    Vec::<Vec<f32>>::try_from(rows(&numbered, 6)?)?[1],
    [6., 7., 8., 9., 10., 11.],
    "the second row must hold the second image"
);
// END HIDDEN TESTS
