//! Linear regression: ten numbers in, one out, the mean squared error made small.

use anyhow::Result;
use candle_core::{DType, Device, Tensor};
use candle_nn::{self as nn, AdamW, Module, Optimizer, ParamsAdamW, VarBuilder, VarMap};
use common::SmallTask;

/// Trains from the task's first weights and returns the loss before each step.
pub fn train(task: &SmallTask, weight_decay: f64) -> Result<Vec<f32>> {
    let device = Device::Cpu;
    let mut vars = VarMap::new();
    let model = nn::linear(10, 1, VarBuilder::from_varmap(&vars, DType::F32, &device))?;
    vars.load(task.init())?;

    let adam = ParamsAdamW {
        lr: task.learning_rate,
        weight_decay, // with 0 AdamW is Adam
        ..Default::default()
    };
    let mut optimizer = AdamW::new(vars.all_vars(), adam)?;
    let mut losses = Vec::new();
    for (x, y) in task.batches() {
        let x = Tensor::from_slice(x, (y.len(), 10), &device)?; // [B, 10]
        let y = Tensor::from_slice(y, (y.len(), 1), &device)?; //  [B, 1]
        let loss = nn::loss::mse(&model.forward(&x)?, &y)?;
        optimizer.backward_step(&loss)?; // gradients are new each time: no zero_grad
        losses.push(loss.to_scalar()?);
    }
    Ok(losses)
}
