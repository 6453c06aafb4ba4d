type Layers = (
    Conv2D<3, 8, 3, 1, 1>, // 3 to 8 channels, kernel 3, stride 1, padding 1
    Bias2D<8>,
    ReLU,
    MaxPool2D<2, 2>,
    Flatten2D,
    // BEGIN SOLUTION
    // STUB: Linear<1800, 10>, // 8 * 15 * 15
    Linear<2048, 10>, // 8 * 16 * 16
                      // END SOLUTION
);

let dev = Cpu::default();
let model = dev.build_module::<Layers, f32>();
let images: Tensor<(usize, Const<3>, Const<32>, Const<32>), f32, Cpu> =
    dev.zeros_like(&(4, Const, Const, Const));
let logits: Tensor<(usize, Const<10>), f32, Cpu> = model.forward(images);
println!("{:?}", logits.shape());
// BEGIN HIDDEN TESTS
assert_eq!(
    logits.shape().concrete(),
    [4, 10],
    "four images, ten logits each"
);
assert_eq!(
    model.num_trainable_params(),
    20_714,
    "224 parameters in the convolution, 20,490 in the linear layer"
);
// END HIDDEN TESTS
