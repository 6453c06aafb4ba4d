//! A multi-layer perceptron: 784 numbers in, ten scores out, 109,386 parameters.

use anyhow::Result;
use candle_core::{DType, Device, Tensor};
use candle_nn::{self as nn, Activation, Module, Optimizer, SGD, Sequential, VarBuilder, VarMap};
use common::SmallTask;

/// The layers; `vb` hands out their weights by the names that PyTorch's `nn.Sequential` gives.
pub fn mlp(vb: VarBuilder) -> Result<Sequential> {
    Ok(nn::seq()
        .add(nn::linear(784, 128, vb.pp("0"))?) // [B, 128]
        .add(Activation::Relu)
        .add(nn::linear(128, 64, vb.pp("2"))?) //  [B, 64]
        .add(Activation::Relu)
        .add(nn::linear(64, 10, vb.pp("4"))?)) //  [B, 10]
}

/// Trains with plain SGD, writes the weights, and returns the loss before each step.
pub fn train(task: &SmallTask) -> Result<Vec<f32>> {
    let device = Device::Cpu;
    let mut vars = VarMap::new();
    let model = mlp(VarBuilder::from_varmap(&vars, DType::F32, &device))?;
    vars.load(task.init())?;

    let mut optimizer = SGD::new(vars.all_vars(), task.learning_rate)?;
    let mut losses = Vec::new();
    for (x, y) in task.batches() {
        let x = Tensor::from_slice(x, (y.len(), 784), &device)?; // [B, 784]
        let y = Tensor::from_slice(y, y.len(), &device)?.to_dtype(DType::U32)?; // [B]
        let loss = nn::loss::cross_entropy(&model.forward(&x)?, &y)?;
        optimizer.backward_step(&loss)?;
        losses.push(loss.to_scalar()?);
    }
    vars.save(task.trained("candle"))?;
    Ok(losses)
}
