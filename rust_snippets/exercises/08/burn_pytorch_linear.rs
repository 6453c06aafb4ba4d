use burn::nn::{Linear, LinearConfig};

fn from_pytorch(
    weight: Vec<f32>,
    bias: Vec<f32>,
    [inputs, outputs]: [usize; 2],
    device: &Device,
) -> Linear {
    // BEGIN SOLUTION
    let weight = Tensor::<2>::from_data(TensorData::new(weight, [outputs, inputs]), device);
    let bias = Tensor::<1>::from_data(TensorData::new(bias, [outputs]), device);
    let mut layer = LinearConfig::new(inputs, outputs).init(device);
    layer.weight = Param::from_tensor(weight.transpose());
    layer.bias = Some(Param::from_tensor(bias));
    layer
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let device = Device::flex();
let layer = from_pytorch(
    vec![1., 2., 3., 4., 5., 6.],
    vec![10., 20.],
    [3, 2],
    &device,
);
assert_eq!(
    layer.weight.dims(),
    [3, 2],
    "Burn keeps the weight as [inputs, outputs]"
);
let y = layer.forward(Tensor::<2>::from_floats(
    [[1., 0., 0.], [0., 0., 1.]],
    &device,
));
let expected = [11., 24., 13., 26.];
assert_eq!(
    y.try_into_vec_as::<f32>()?,
    expected,
    "each output is a row of PyTorch's weight times x, plus the bias"
);

let square = from_pytorch(vec![1., 2., 3., 4.], vec![0., 0.], [2, 2], &device);
let y = square.forward(Tensor::<2>::from_floats([[1., 0.]], &device));
assert_eq!(
    y.try_into_vec_as::<f32>()?,
    [1., 3.],
    "a square matrix has to be turned as well"
);
// END HIDDEN TESTS
