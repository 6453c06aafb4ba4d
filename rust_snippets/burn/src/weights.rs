//! PyTorch's weights in and out of the network, by name. The one difference: Burn's linear layer
//! keeps its matrix as `[in, out]`, PyTorch's as `[out, in]`.

use std::path::Path;

use anyhow::{Context, Result};
use burn::module::Param;
use burn::prelude::*;
use burn::tensor::Gradients;
use common::Weights;

use crate::model::{Cnn, CnnConfig};

/// The network with the weights of a safetensors file, whose shapes must be the network's.
pub fn load(path: &Path, device: &Device) -> Result<Cnn> {
    let mut model = CnnConfig::new().init(device);
    let conv1 = model.conv1.weight.dims(); // [32, 3, 3, 3]
    let conv2 = model.conv2.weight.dims(); // [64, 32, 3, 3]
    let [inputs, outputs] = model.fc.weight.dims(); // [4096, 10]
    let shapes: [(&str, &[usize]); 6] = [
        ("conv1.weight", &conv1),
        ("conv1.bias", &conv1[..1]),
        ("conv2.weight", &conv2),
        ("conv2.bias", &conv2[..1]),
        ("fc.weight", &[outputs, inputs]),
        ("fc.bias", &[outputs]),
    ];
    let file = &Weights::read(path, &shapes)?;

    model.conv1.weight = param(file, "conv1.weight", conv1, device);
    model.conv1.bias = Some(param(file, "conv1.bias", [conv1[0]], device));
    model.conv2.weight = param(file, "conv2.weight", conv2, device);
    model.conv2.bias = Some(param(file, "conv2.bias", [conv2[0]], device));
    let matrix = tensor(file, "fc.weight", [outputs, inputs], device);
    model.fc.weight = Param::from_tensor(matrix.transpose());
    model.fc.bias = Some(param(file, "fc.bias", [outputs], device));
    Ok(model)
}

fn param<const D: usize>(
    file: &Weights,
    name: &str,
    shape: [usize; D],
    device: &Device,
) -> Param<Tensor<D>> {
    Param::from_tensor(tensor(file, name, shape, device))
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
    let Cnn {
        conv1, conv2, fc, ..
    } = model;
    let mut file = Weights::default();
    insert(&mut file, "conv1.weight", conv1.weight.val())?;
    insert(&mut file, "conv1.bias", bias(&conv1.bias)?.val())?;
    insert(&mut file, "conv2.weight", conv2.weight.val())?;
    insert(&mut file, "conv2.bias", bias(&conv2.bias)?.val())?;
    insert(&mut file, "fc.weight", fc.weight.val().transpose())?;
    insert(&mut file, "fc.bias", bias(&fc.bias)?.val())?;
    Ok(file)
}

/// The gradients of the network's weights.
pub fn gradients(model: &Cnn, grads: &Gradients) -> Result<Weights> {
    let Cnn {
        conv1, conv2, fc, ..
    } = model;
    let mut weights = Weights::default();
    let file = &mut weights;
    insert(file, "grad.conv1.weight", grad(&conv1.weight, grads)?)?;
    insert(file, "grad.conv1.bias", grad(bias(&conv1.bias)?, grads)?)?;
    insert(file, "grad.conv2.weight", grad(&conv2.weight, grads)?)?;
    insert(file, "grad.conv2.bias", grad(bias(&conv2.bias)?, grads)?)?;
    insert(file, "grad.fc.weight", grad(&fc.weight, grads)?.transpose())?;
    insert(file, "grad.fc.bias", grad(bias(&fc.bias)?, grads)?)?;
    Ok(weights)
}

fn bias(bias: &Option<Param<Tensor<1>>>) -> Result<&Param<Tensor<1>>> {
    bias.as_ref().context("a layer has no bias")
}

fn grad<const D: usize>(param: &Param<Tensor<D>>, grads: &Gradients) -> Result<Tensor<D>> {
    param.grad(grads).context("a weight has no gradient")
}

fn insert<const D: usize>(file: &mut Weights, name: &str, tensor: Tensor<D>) -> Result<()> {
    let shape = tensor.dims();
    file.insert(name, &shape, tensor.try_into_vec_as()?);
    Ok(())
}
