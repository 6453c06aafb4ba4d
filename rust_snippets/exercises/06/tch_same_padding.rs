fn same_conv(path: nn::Path, channels_in: i64, channels_out: i64, kernel: i64) -> nn::Conv2D {
    // BEGIN SOLUTION
    let config = nn::ConvConfig {
        padding: kernel / 2,
        bias: false,
        ..Default::default()
    };
    nn::conv2d(path, channels_in, channels_out, kernel, config)
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let vs = nn::VarStore::new(Device::Cpu);
for kernel in [1, 3, 5] {
    let conv = same_conv(vs.root() / "conv" / kernel, 3, 8, kernel);
    for (height, width) in [(32, 32), (7, 9)] {
        let x = Tensor::zeros([2, 3, height, width], (Kind::Float, Device::Cpu));
        assert_eq!(
            x.apply(&conv).size(),
            [2, 8, height, width],
            "a kernel of {kernel} must keep {height} by {width}"
        );
    }
}
let mut names: Vec<_> = vs.variables().into_keys().collect();
names.sort();
assert_eq!(
    names,
    ["conv.1.weight", "conv.3.weight", "conv.5.weight"],
    "each convolution has a weight below its path, and no bias"
);
// END HIDDEN TESTS
