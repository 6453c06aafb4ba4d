fn normalised(pixels: &[u8], mean: f32, std: f32) -> Vec<f32> {
    // BEGIN SOLUTION
    pixels
        .iter()
        .map(|&x| (f32::from(x) / 255.0 - mean) / std)
        .collect()
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let close =
    |a: &[f32], b: &[f32]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
let found = normalised(&[0, 51, 255], 0.0, 1.0);
assert!(
    close(&found, &[0.0, 0.2, 1.0]),
    "0, 51 and 255 are 0, 0.2 and 1 before mean and std, not {found:?}"
);
let found = normalised(&[0, 51, 255], 0.2, 0.5);
assert!(
    close(&found, &[-0.4, 0.0, 1.6]),
    "with mean 0.2 and std 0.5 they are -0.4, 0 and 1.6, not {found:?}"
);
assert_eq!(normalised(&[], 0.5, 0.5).len(), 0, "no pixels, no numbers");
// END HIDDEN TESTS
