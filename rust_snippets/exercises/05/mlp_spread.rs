use burn::nn::{Linear, LinearConfig};

fn spread(layer: &Linear) -> Result<f32> {
    // BEGIN SOLUTION
    let mean_square = layer.weight.val().square().mean();
    Ok(mean_square.sqrt().try_into_scalar()?)
    // END SOLUTION
}

let device = Device::flex();
println!(
    "Burn    {:.2}",
    spread(&LinearConfig::new(784, 128).init(&device))?
);
// BEGIN HIDDEN TESTS
let mut layer = LinearConfig::new(2, 2).init(&device);
layer.weight = Param::from_tensor(Tensor::from_data([[1., -1.], [7., 7.]], &device));
assert_eq!(
    spread(&layer)?,
    5.0,
    "the mean square of 1, -1, 7 and 7 is 25"
);
layer.weight = Param::from_tensor(Tensor::from_data([[3., 3.], [3., 3.]], &device));
assert_eq!(
    spread(&layer)?,
    3.0,
    "all weights 3: the mean counts as well, not only the distance from it"
);
// END HIDDEN TESTS
