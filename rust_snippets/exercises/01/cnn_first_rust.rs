fn conv_parameters(inputs: usize, outputs: usize, kernel: usize) -> usize {
    // BEGIN SOLUTION
    outputs * inputs * kernel * kernel + outputs
    // END SOLUTION
}

println!("{}", conv_parameters(3, 32, 3));
// BEGIN HIDDEN TESTS
assert_eq!(
    conv_parameters(3, 32, 3),
    896,
    "the first convolution: 3 to 32 channels, kernel 3"
);
assert_eq!(
    conv_parameters(32, 64, 3),
    18_496,
    "the second convolution: 32 to 64 channels, kernel 3"
);
assert_eq!(conv_parameters(1, 1, 1), 2, "one weight and one bias");
assert_eq!(conv_parameters(2, 5, 4), 165, "2 to 5 channels, kernel 4");
// END HIDDEN TESTS
