//! One forward and backward pass, written out to be compared with PyTorch's.

use std::collections::HashMap;

use anyhow::{Context, Result};
use candle_nn::Module;
use candle_nn::loss::cross_entropy;
use common::weights::write_whole;
use common::{Order, TrainConfig};

use crate::data::{Data, device};
use crate::train::network;

/// Takes the first batch and writes its logits, loss and gradients to `candle.parity.safetensors`.
pub fn parity(config: &TrainConfig) -> Result<()> {
    let device = device(config)?;
    let (vars, model) = network(config, &device)?;
    let train = Data::read(&config.train_bin, config.train_size, config, &device)?;
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let batch = order.epoch(0).chunks(config.batch_size).next().unwrap();

    let (images, labels) = train.batch(batch)?;
    let logits = model.forward(&images)?; // [B, 10]
    let loss = cross_entropy(&logits, &labels)?;
    let gradients = loss.backward()?;

    let mut tensors = HashMap::from([
        ("logits".to_string(), logits),
        ("loss".to_string(), loss.reshape(1)?),
    ]);
    for (name, var) in vars.data().lock().unwrap().iter() {
        let gradient = gradients
            .get(var)
            .with_context(|| format!("no gradient for {name}"))?;
        tensors.insert(format!("grad.{name}"), gradient.contiguous()?);
    }
    let path = config.output.join("candle.parity.safetensors");
    write_whole(path, |temporary| {
        Ok(candle_core::safetensors::save(&tensors, temporary)?)
    })
}
