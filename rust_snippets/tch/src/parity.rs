//! One forward and backward pass, written out to be compared with PyTorch's.

use anyhow::Result;
use common::weights::write_whole;
use common::{Order, TrainConfig};
use tch::Tensor;
use tch::nn::Module;

use crate::data::{Data, device};
use crate::train::network;

/// Takes the first batch and writes its logits, loss and gradients to `tch.parity.safetensors`.
pub fn parity(config: &TrainConfig) -> Result<()> {
    let device = device(config)?;
    let (vs, model) = network(config, device)?;
    let train = Data::read(&config.train_bin, config.train_size, config, device)?;
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let batch = order.epoch(0).chunks(config.batch_size).next().unwrap();

    let (images, labels) = train.batch(batch);
    let logits = model.forward(&images); // [B, 10]
    let loss = logits.cross_entropy_for_logits(&labels);
    loss.backward();

    let mut tensors = vec![
        ("logits".to_string(), logits),
        ("loss".to_string(), loss.view(1)),
    ];
    for (name, parameter) in vs.variables() {
        tensors.push((format!("grad.{name}"), parameter.grad().contiguous()));
    }
    write_whole(config.output.join("tch.parity.safetensors"), |temporary| {
        Ok(Tensor::write_safetensors(&tensors, temporary)?)
    })
}
