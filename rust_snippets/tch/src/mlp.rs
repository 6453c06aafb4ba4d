//! A multi-layer perceptron: 784 numbers in, ten scores out, 109,386 parameters.

use anyhow::Result;
use common::SmallTask;
use tch::nn::{self, Module, OptimizerConfig, Sequential};
use tch::{Device, Kind, Tensor};

/// The layers below `path`, under the names that PyTorch's `nn.Sequential` gives.
pub fn mlp(path: &nn::Path) -> Sequential {
    nn::seq()
        .add(nn::linear(path / "0", 784, 128, Default::default())) // [B, 128]
        .add_fn(Tensor::relu)
        .add(nn::linear(path / "2", 128, 64, Default::default())) //  [B, 64]
        .add_fn(Tensor::relu)
        .add(nn::linear(path / "4", 64, 10, Default::default())) //   [B, 10]
}

/// Trains with plain SGD, writes the weights, and returns the loss before each step.
pub fn train(task: &SmallTask) -> Result<Vec<f32>> {
    let mut vs = nn::VarStore::new(Device::Cpu);
    let model = mlp(&vs.root());
    vs.load(task.init())?;

    let mut optimizer = nn::Sgd::default().build(&vs, task.learning_rate)?;
    let mut losses = Vec::new();
    for (x, y) in task.batches() {
        let x = Tensor::from_slice(x).view((-1, 784)); // [B, 784]
        let y = Tensor::from_slice(y).to_kind(Kind::Int64); // [B]
        let loss = model.forward(&x).cross_entropy_for_logits(&y);
        optimizer.backward_step(&loss);
        losses.push(f32::try_from(&loss)?);
    }
    vs.save(task.trained("tch"))?;
    Ok(losses)
}
