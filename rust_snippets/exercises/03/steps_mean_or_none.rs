fn mean(values: &[f64]) -> Option<f64> {
    // BEGIN SOLUTION
    if values.is_empty() {
        None
    } else {
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }
    // END SOLUTION
}

println!("{:?} {:?}", mean(&[2.3, 1.9]), mean(&[]));
// BEGIN HIDDEN TESTS
assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0), "the mean of 1, 2 and 6");
assert_eq!(
    mean(&[-4.0]),
    Some(-4.0),
    "the mean of one number is the number"
);
assert_eq!(mean(&[]), None, "no numbers have no mean");
// END HIDDEN TESTS
