use burn::nn::{
    Linear, LinearConfig,
    loss::{MseLoss, Reduction},
};
use burn::optim::GradientsAccumulator;
use burn::tensor::Distribution;

fn gradient(layer: &Linear, x: Tensor<2>, y: Tensor<2>, size: usize) -> Result<Tensor<2>> {
    // BEGIN SOLUTION
    let rows = x.dims()[0];
    let mut sum = GradientsAccumulator::new();
    for (x, y) in x.split(size, 0).into_iter().zip(y.split(size, 0)) {
        let share = x.dims()[0] as f32 / rows as f32;
        let loss = MseLoss::new().forward(layer.forward(x), y, Reduction::Mean) * share;
        sum.accumulate(layer, GradientsParams::from_grads(loss.backward(), layer));
    }
    sum.grads()
        .remove::<2>(layer.weight.id)
        .context("the weight has no gradient")
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let device = Device::flex().autodiff();
let layer = LinearConfig::new(3, 2).init(&device);
let x = Tensor::<2>::random([12, 3], Distribution::Normal(0., 1.), &device);
let y = Tensor::<2>::random([12, 2], Distribution::Normal(0., 1.), &device);

let whole = MseLoss::new()
    .forward(layer.forward(x.clone()), y.clone(), Reduction::Mean)
    .backward();
let whole = layer.weight.grad(&whole).context("no gradient")?;
for size in [12, 4, 1, 5] {
    let parts = gradient(&layer, x.clone(), y.clone(), size)?.inner();
    let away: f32 = (parts - whole.clone()).abs().max().try_into_scalar()?;
    let share = if 12 % size == 0 {
        ""
    } else {
        "; the last part is smaller, and weighs less"
    };
    assert!(
        away < 1e-5,
        "parts of {size} rows: the gradient differs from that of all 12 rows by {away}{share}"
    );
}
// END HIDDEN TESTS
