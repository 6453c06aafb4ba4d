//! Linear regression: ten numbers in, one out, the mean squared error made small.

use anyhow::Result;
use common::SmallTask;
use dfdx::optim::{Adam, AdamConfig};
use dfdx::prelude::*;

/// Trains from the task's first weights and returns the loss before each step.
pub fn train(task: &SmallTask) -> Result<Vec<f32>> {
    let dev = Cpu::default();
    let mut model = dev.try_build_module::<Linear<10, 1>, f32>()?;
    let first = task.first_weights(&[("weight", &[1, 10]), ("bias", &[1])])?;
    model.weight.copy_from(first.get("weight"));
    model.bias.copy_from(first.get("bias"));

    let adam = AdamConfig {
        lr: task.learning_rate,
        ..Default::default()
    };
    let mut adam = Adam::new(&model, adam);
    let mut grads = model.try_alloc_grads()?;
    let mut losses = Vec::new();
    for (x, y) in task.batches() {
        let x = dev.try_tensor((x.to_vec(), (y.len(), Const::<10>)))?; // [B, 10]
        let y = dev.try_tensor((y.to_vec(), (y.len(), Const::<1>)))?; //  [B, 1]
        let loss = mse_loss(model.try_forward(x.traced(grads))?, y);
        losses.push(loss.array());
        grads = loss.try_backward()?; // the tape gives the gradients back
        adam.update(&mut model, &grads)?;
        model.try_zero_grads(&mut grads)?;
    }
    Ok(losses)
}
