//! One forward and backward pass, written out to be compared with PyTorch's.

use anyhow::Result;
use common::{Order, TrainConfig};
use dfdx::prelude::*;

use crate::data::{device, Data};
use crate::model::forward_tracked;
use crate::weights::{gradients, load};

/// Takes the first batch and writes its logits, loss and gradients to `dfdx.parity.safetensors`.
pub fn parity(config: &TrainConfig) -> Result<()> {
    let device = device(config)?;
    let model = load(&config.init, &device)?;
    let train = Data::read(&config.train_bin, config.train_size, config, &device)?;
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let batch = order.epoch(0).chunks(config.batch_size).next().unwrap();

    let (images, labels) = train.batch(batch)?;
    let images = images.traced(model.try_alloc_grads()?);
    let logits = forward_tracked(&model, images)?; // [B, 10]
    let values = logits.as_vec();
    let loss = cross_entropy_with_logits_loss(logits, labels);
    let value = loss.array();
    let grads = loss.try_backward()?;

    let mut tensors = gradients(&model, &grads);
    tensors.insert("logits", &[batch.len(), 10], values);
    tensors.insert("loss", &[1], vec![value]);
    tensors.write(config.output.join("dfdx.parity.safetensors"))
}
