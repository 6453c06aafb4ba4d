//! Linear regression: ten numbers in, one out, the mean squared error made small.

use anyhow::Result;
use common::SmallTask;
use tch::nn::{self, Module, OptimizerConfig};
use tch::{Device, Reduction, Tensor};

/// Trains from the task's first weights and returns the loss before each step.
pub fn train(task: &SmallTask) -> Result<Vec<f32>> {
    let mut vs = nn::VarStore::new(Device::Cpu);
    let model = nn::linear(vs.root(), 10, 1, Default::default());
    vs.load(task.init())?;

    let mut optimizer = nn::Adam::default().build(&vs, task.learning_rate)?;
    let mut losses = Vec::new();
    for (x, y) in task.batches() {
        let x = Tensor::from_slice(x).view((-1, 10)); // [B, 10]
        let y = Tensor::from_slice(y).view((-1, 1)); //  [B, 1]
        let loss = model.forward(&x).mse_loss(&y, Reduction::Mean);
        optimizer.backward_step(&loss); // zero_grad, backward, step
        losses.push(f32::try_from(&loss)?);
    }
    Ok(losses)
}
