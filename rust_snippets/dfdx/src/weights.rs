//! PyTorch's weights in and out of the network, by name. dfdx lays them out as PyTorch does.

use std::path::Path;

use anyhow::Result;
use common::Weights;
use dfdx::prelude::*;

use crate::model::{Cnn, Dev, Layers};

/// The network with the weights of a safetensors file, whose shapes must be the network's.
pub fn load(path: &Path, dev: &Dev) -> Result<Cnn> {
    let mut model = dev.try_build_module::<Layers, f32>()?;
    let ((conv1, bias1, ..), (conv2, bias2, ..), (_, fc)) = &mut model;
    let shapes: [(&str, &[usize]); 6] = [
        ("conv1.weight", &conv1.weight.shape().concrete()), // [32, 3, 3, 3]
        ("conv1.bias", &bias1.bias.shape().concrete()),     // [32]
        ("conv2.weight", &conv2.weight.shape().concrete()), // [64, 32, 3, 3]
        ("conv2.bias", &bias2.bias.shape().concrete()),     // [64]
        ("fc.weight", &fc.weight.shape().concrete()),       // [10, 4096]
        ("fc.bias", &fc.bias.shape().concrete()),           // [10]
    ];
    let file = Weights::read(path, &shapes)?;

    conv1.weight.copy_from(file.get("conv1.weight"));
    bias1.bias.copy_from(file.get("conv1.bias"));
    conv2.weight.copy_from(file.get("conv2.weight"));
    bias2.bias.copy_from(file.get("conv2.bias"));
    fc.weight.copy_from(file.get("fc.weight"));
    fc.bias.copy_from(file.get("fc.bias"));
    Ok(model)
}

/// The network's weights.
pub fn weights(model: &Cnn) -> Weights {
    let ((conv1, bias1, ..), (conv2, bias2, ..), (_, fc)) = model;
    let mut file = Weights::default();
    insert(&mut file, "conv1.weight", &conv1.weight);
    insert(&mut file, "conv1.bias", &bias1.bias);
    insert(&mut file, "conv2.weight", &conv2.weight);
    insert(&mut file, "conv2.bias", &bias2.bias);
    insert(&mut file, "fc.weight", &fc.weight);
    insert(&mut file, "fc.bias", &fc.bias);
    file
}

/// The weights' gradients.
pub fn gradients(model: &Cnn, grads: &Gradients<f32, Dev>) -> Weights {
    let ((conv1, bias1, ..), (conv2, bias2, ..), (_, fc)) = model;
    let mut file = Weights::default();
    insert(&mut file, "grad.conv1.weight", &grads.get(&conv1.weight));
    insert(&mut file, "grad.conv1.bias", &grads.get(&bias1.bias));
    insert(&mut file, "grad.conv2.weight", &grads.get(&conv2.weight));
    insert(&mut file, "grad.conv2.bias", &grads.get(&bias2.bias));
    insert(&mut file, "grad.fc.weight", &grads.get(&fc.weight));
    insert(&mut file, "grad.fc.bias", &grads.get(&fc.bias));
    file
}

fn insert<S: Shape>(file: &mut Weights, name: &str, tensor: &Tensor<S, f32, Dev>) {
    let shape: Vec<usize> = tensor.shape().concrete().into_iter().collect();
    file.insert(name, &shape, tensor.as_vec());
}
