type Net = (
    (Conv2D<1, 8, 5>, Bias2D<8>, ReLU, MaxPool2D<2, 2>),
    (Conv2D<8, 16, 3>, Bias2D<16>, ReLU, MaxPool2D<2, 2>),
    // BEGIN SOLUTION
    (Flatten2D, Linear<400, 10>), // 16 channels of 5 by 5
                                  // STUB: (Flatten2D, Linear<784, 10>),
                                  // END SOLUTION
);

let dev = Cpu::default();
let model = dev.build_module::<Net, f32>();
let logits = model.forward(dev.zeros::<Rank4<2, 1, 28, 28>>());
println!(
    "logits {:?}, {} parameters",
    logits.shape().concrete(),
    model.num_trainable_params()
);

// BEGIN HIDDEN TESTS
assert_eq!(
    logits.shape().concrete(),
    [2, 10],
    "two images, ten logits each"
);
assert_eq!(
    model.num_trainable_params(),
    5386,
    "the convolutions stay as they are: 208 and 1,168 parameters"
);
// END HIDDEN TESTS
