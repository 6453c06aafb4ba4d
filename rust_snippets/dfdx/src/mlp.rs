//! A multi-layer perceptron: 784 numbers in, ten scores out, 109,386 parameters.

use anyhow::Result;
use common::{SmallTask, Weights};
use dfdx::data::OneHotEncode;
use dfdx::optim::{Sgd, SgdConfig};
use dfdx::prelude::*;

/// The layers, in the places that PyTorch's `nn.Sequential` numbers 0 to 4.
pub type Layers = (
    Linear<784, 128>, // [B, 128]
    ReLU,
    Linear<128, 64>, //  [B, 64]
    ReLU,
    Linear<64, 10>, //   [B, 10]
);

/// The layers with their weights.
pub type Mlp = <Layers as BuildOnDevice<Cpu, f32>>::Built;

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
    let dev = Cpu::default();
    let mut model = load(&task.first_weights(&SHAPES)?, &dev)?;

    let sgd = SgdConfig {
        lr: task.learning_rate,
        ..Default::default()
    };
    let mut sgd = Sgd::new(&model, sgd);
    let mut grads = model.try_alloc_grads()?;
    let mut losses = Vec::new();
    for (x, y) in task.batches() {
        let x = dev.try_tensor((x.to_vec(), (y.len(), Const::<784>)))?; // [B, 784]
        let labels: Vec<usize> = y.iter().map(|&y| y as usize).collect();
        let y = dev.one_hot_encode(Const::<10>, labels); // [B, 10]
        let logits = model.try_forward(x.traced(grads))?; // [B, 10]
        let loss = cross_entropy_with_logits_loss(logits, y);
        losses.push(loss.array());
        grads = loss.try_backward()?;
        sgd.update(&mut model, &grads)?;
        model.try_zero_grads(&mut grads)?;
    }
    weights(&model).write(task.trained("dfdx"))?;
    Ok(losses)
}

/// The network with the weights of a file.
pub fn load(file: &Weights, dev: &Cpu) -> Result<Mlp> {
    let mut model = dev.try_build_module::<Layers, f32>()?;
    model.0.weight.copy_from(file.get("0.weight"));
    model.0.bias.copy_from(file.get("0.bias"));
    model.2.weight.copy_from(file.get("2.weight"));
    model.2.bias.copy_from(file.get("2.bias"));
    model.4.weight.copy_from(file.get("4.weight"));
    model.4.bias.copy_from(file.get("4.bias"));
    Ok(model)
}

/// The network's weights, under PyTorch's names.
pub fn weights(model: &Mlp) -> Weights {
    let values = [
        model.0.weight.as_vec(),
        model.0.bias.as_vec(),
        model.2.weight.as_vec(),
        model.2.bias.as_vec(),
        model.4.weight.as_vec(),
        model.4.bias.as_vec(),
    ];
    let mut file = Weights::default();
    for ((name, shape), values) in SHAPES.into_iter().zip(values) {
        file.insert(name, shape, values);
    }
    file
}
