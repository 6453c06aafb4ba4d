//! A multi-layer perceptron: 784 numbers in, ten scores out, 109,386 parameters.

use anyhow::{Context, Result};
use burn::nn::loss::CrossEntropyLossConfig;
use burn::nn::{Linear, Relu};
use burn::optim::{GradientsParams, SgdConfig};
use burn::prelude::*;
use common::{SmallTask, Weights};

use crate::linear_regression::linear;

#[derive(Module, Debug)]
pub struct Mlp {
    hidden1: Linear,
    hidden2: Linear,
    output: Linear,
    relu: Relu,
}

impl Mlp {
    /// The layers with the weights of PyTorch's `nn.Sequential`, which calls them 0, 2 and 4.
    pub fn new(file: &Weights, device: &Device) -> Self {
        Self {
            hidden1: linear(file, "0.", [784, 128], device),
            hidden2: linear(file, "2.", [128, 64], device),
            output: linear(file, "4.", [64, 10], device),
            relu: Relu::new(),
        }
    }

    /// Features `[B, 784]` to logits `[B, 10]`.
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        let x = self.relu.forward(self.hidden1.forward(x)); // [B, 128]
        let x = self.relu.forward(self.hidden2.forward(x)); // [B, 64]
        self.output.forward(x) //                              [B, 10]
    }

    /// The weights, under PyTorch's names and in its layout.
    pub fn weights(&self) -> Result<Weights> {
        let mut file = Weights::default();
        let layers = [
            ("0", &self.hidden1),
            ("2", &self.hidden2),
            ("4", &self.output),
        ];
        for (name, layer) in layers {
            let [inputs, outputs] = layer.weight.dims();
            let weight = layer.weight.val().transpose().try_into_vec_as()?;
            let bias = layer.bias.as_ref().context("a layer has no bias")?.val();
            file.insert(&format!("{name}.weight"), &[outputs, inputs], weight);
            file.insert(&format!("{name}.bias"), &[outputs], bias.try_into_vec_as()?);
        }
        Ok(file)
    }
}

const SHAPES: [(&str, &[usize]); 6] = [
    ("0.weight", &[128, 784]),
    ("0.bias", &[128]),
    ("2.weight", &[64, 128]),
    ("2.bias", &[64]),
    ("4.weight", &[10, 64]),
    ("4.bias", &[10]),
];

/// Trains with plain SGD, writes the weights, and returns the loss before each step.
pub fn train(task: &SmallTask) -> Result<Vec<f32>> {
    let device = Device::flex().autodiff();
    let mut model = Mlp::new(&task.first_weights(&SHAPES)?, &device);

    let cross_entropy = CrossEntropyLossConfig::new().init(&device);
    let mut sgd = SgdConfig::new().init();
    let mut losses = Vec::new();
    for (x, y) in task.batches() {
        let x = TensorData::new(x.to_vec(), [y.len(), 784]);
        let y = Tensor::<1>::from_data(TensorData::new(y.to_vec(), [y.len()]), &device);
        let logits = model.forward(Tensor::from_data(x, &device)); // [B, 10]
        let loss = cross_entropy.forward(logits, y.int());
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = sgd.step(task.learning_rate, model, grads);
        losses.push(loss.try_into_scalar()?);
    }
    model.weights()?.write(task.trained("burn"))?;
    Ok(losses)
}
