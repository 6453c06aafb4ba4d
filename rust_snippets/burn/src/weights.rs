//! PyTorch's weights in and out of the network, by name. The one difference: Burn's linear layer
//! keeps its matrix as `[in, out]`, PyTorch's as `[out, in]`.

use std::path::Path;

use anyhow::{Context, Result};
use burn::module::Param;
use burn::prelude::*;
use burn::tensor::Gradients;
use common::Weights;

use crate::model::{Cnn, CnnConfig};

/// The network with the weights of a safetensors file.
pub fn load(path: &Path, device: &Device) -> Result<Cnn> {
    let file = Weights::read(path, &common::weights::CNN)?;
    let mut model = CnnConfig::new().init(device);
    model.conv1.weight = Param::from_tensor(tensor(&file, "conv1.weight", [32, 3, 3, 3], device));
    model.conv1.bias = Some(Param::from_tensor(tensor(
        &file,
        "conv1.bias",
        [32],
        device,
    )));
    model.conv2.weight = Param::from_tensor(tensor(&file, "conv2.weight", [64, 32, 3, 3], device));
    model.conv2.bias = Some(Param::from_tensor(tensor(
        &file,
        "conv2.bias",
        [64],
        device,
    )));
    let matrix = tensor(&file, "fc.weight", [10, 4096], device);
    model.fc.weight = Param::from_tensor(matrix.transpose()); // [4096, 10]
    model.fc.bias = Some(Param::from_tensor(tensor(&file, "fc.bias", [10], device)));
    Ok(model)
}

fn tensor<const D: usize>(
    file: &Weights,
    name: &str,
    shape: [usize; D],
    device: &Device,
) -> Tensor<D> {
    Tensor::from_data(TensorData::new(file.get(name).to_vec(), shape), device)
}

/// The network's weights.
pub fn weights(model: &Cnn) -> Result<Weights> {
    let mut file = Weights::default();
    insert(&mut file, "conv1.weight", model.conv1.weight.val())?;
    insert(&mut file, "conv1.bias", bias(&model.conv1.bias)?)?;
    insert(&mut file, "conv2.weight", model.conv2.weight.val())?;
    insert(&mut file, "conv2.bias", bias(&model.conv2.bias)?)?;
    insert(&mut file, "fc.weight", model.fc.weight.val().transpose())?;
    insert(&mut file, "fc.bias", bias(&model.fc.bias)?)?;
    Ok(file)
}

/// The gradients of the network's weights.
pub fn gradients(model: &Cnn, grads: &Gradients) -> Result<Weights> {
    let mut file = Weights::default();
    let (conv1, conv2, fc) = (&model.conv1, &model.conv2, &model.fc);
    insert(
        &mut file,
        "grad.conv1.weight",
        grad(conv1.weight.val(), grads)?,
    )?;
    insert(
        &mut file,
        "grad.conv1.bias",
        grad(bias(&conv1.bias)?, grads)?,
    )?;
    insert(
        &mut file,
        "grad.conv2.weight",
        grad(conv2.weight.val(), grads)?,
    )?;
    insert(
        &mut file,
        "grad.conv2.bias",
        grad(bias(&conv2.bias)?, grads)?,
    )?;
    insert(
        &mut file,
        "grad.fc.weight",
        grad(fc.weight.val(), grads)?.transpose(),
    )?;
    insert(&mut file, "grad.fc.bias", grad(bias(&fc.bias)?, grads)?)?;
    Ok(file)
}

fn bias(bias: &Option<Param<Tensor<1>>>) -> Result<Tensor<1>> {
    Ok(bias.as_ref().context("a layer has no bias")?.val())
}

fn grad<const D: usize>(tensor: Tensor<D>, grads: &Gradients) -> Result<Tensor<D>> {
    tensor.grad(grads).context("a weight has no gradient")
}

fn insert<const D: usize>(file: &mut Weights, name: &str, tensor: Tensor<D>) -> Result<()> {
    let shape = tensor.dims();
    file.insert(name, &shape, tensor.try_into_vec_as()?);
    Ok(())
}
