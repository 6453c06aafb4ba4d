//! PyTorch's weights in and out of the network, by name. dfdx lays them out as PyTorch does.

use std::path::Path;

use anyhow::Result;
use common::Weights;
use dfdx::prelude::*;

use crate::model::{Cnn, Dev, Layers};

/// The network with the weights of a safetensors file.
pub fn load(path: &Path, dev: &Dev) -> Result<Cnn> {
    let mut model = dev.try_build_module::<Layers, f32>()?;
    let weights = Weights::read(path, &common::weights::CNN)?;
    let ((conv1, bias1, ..), (conv2, bias2, ..), (_, fc)) = &mut model;
    conv1.weight.copy_from(weights.get("conv1.weight")); // [32, 3, 3, 3]
    bias1.bias.copy_from(weights.get("conv1.bias")); // [32]
    conv2.weight.copy_from(weights.get("conv2.weight")); // [64, 32, 3, 3]
    bias2.bias.copy_from(weights.get("conv2.bias")); // [64]
    fc.weight.copy_from(weights.get("fc.weight")); // [10, 4096]
    fc.bias.copy_from(weights.get("fc.bias")); // [10]
    Ok(model)
}

/// The network's weights.
pub fn weights(model: &Cnn) -> Weights {
    let ((conv1, bias1, ..), (conv2, bias2, ..), (_, fc)) = model;
    let mut weights = Weights::default();
    insert(&mut weights, "conv1.weight", &conv1.weight);
    insert(&mut weights, "conv1.bias", &bias1.bias);
    insert(&mut weights, "conv2.weight", &conv2.weight);
    insert(&mut weights, "conv2.bias", &bias2.bias);
    insert(&mut weights, "fc.weight", &fc.weight);
    insert(&mut weights, "fc.bias", &fc.bias);
    weights
}

/// The weights' gradients.
pub fn gradients(model: &Cnn, grads: &Gradients<f32, Dev>) -> Weights {
    let ((conv1, bias1, ..), (conv2, bias2, ..), (_, fc)) = model;
    let mut weights = Weights::default();
    insert(&mut weights, "grad.conv1.weight", &grads.get(&conv1.weight));
    insert(&mut weights, "grad.conv1.bias", &grads.get(&bias1.bias));
    insert(&mut weights, "grad.conv2.weight", &grads.get(&conv2.weight));
    insert(&mut weights, "grad.conv2.bias", &grads.get(&bias2.bias));
    insert(&mut weights, "grad.fc.weight", &grads.get(&fc.weight));
    insert(&mut weights, "grad.fc.bias", &grads.get(&fc.bias));
    weights
}

fn insert<S: Shape>(weights: &mut Weights, name: &str, tensor: &Tensor<S, f32, Dev>) {
    let shape: Vec<usize> = tensor.shape().concrete().into_iter().collect();
    weights.insert(name, &shape, tensor.as_vec());
}
