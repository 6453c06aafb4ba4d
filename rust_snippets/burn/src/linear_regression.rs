//! Linear regression: ten numbers in, one out, the mean squared error made small.

use anyhow::Result;
use burn::module::Param;
use burn::nn::loss::{MseLoss, Reduction};
use burn::nn::{Linear, LinearConfig};
use burn::optim::{AdamConfig, GradientsParams};
use burn::prelude::*;
use common::{SmallTask, Weights};

/// Trains from the task's first weights and returns the loss before each step.
pub fn train(task: &SmallTask) -> Result<Vec<f32>> {
    let device = Device::flex().autodiff();
    let first = task.first_weights(&[("weight", &[1, 10]), ("bias", &[1])])?;
    let mut model = linear(&first, "", [10, 1], &device);

    let mut adam = AdamConfig::new().with_epsilon(1e-8).init(); // Burn's default is 1e-5
    let mut losses = Vec::new();
    for (x, y) in task.batches() {
        let x = TensorData::new(x.to_vec(), [y.len(), 10]);
        let y = TensorData::new(y.to_vec(), [y.len(), 1]);
        let prediction = model.forward(Tensor::<2>::from_data(x, &device)); // [B, 1]
        let target = Tensor::from_data(y, &device); //                         [B, 1]
        let loss = MseLoss::new().forward(prediction, target, Reduction::Mean);
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = adam.step(task.learning_rate, model, grads); // the next model
        losses.push(loss.try_into_scalar()?);
    }
    Ok(losses)
}

/// A layer with PyTorch's weights `{prefix}weight` and `{prefix}bias`.
pub fn linear(
    file: &Weights,
    prefix: &str,
    [inputs, outputs]: [usize; 2],
    device: &Device,
) -> Linear {
    let weight = file.get(&format!("{prefix}weight")).to_vec();
    let bias = file.get(&format!("{prefix}bias")).to_vec();
    let weight = Tensor::<2>::from_data(TensorData::new(weight, [outputs, inputs]), device);
    let bias = Tensor::from_data(TensorData::new(bias, [outputs]), device);

    let mut layer = LinearConfig::new(inputs, outputs).init(device);
    layer.weight = Param::from_tensor(weight.transpose()); // Burn keeps [inputs, outputs]
    layer.bias = Some(Param::from_tensor(bias));
    layer
}
