//! One forward and backward pass, written out to be compared with PyTorch's.

use anyhow::Result;
use burn::nn::loss::CrossEntropyLossConfig;
use common::{Order, TrainConfig};

use crate::data::{Data, device};
use crate::weights::{gradients, load};

/// Takes the first batch and writes its logits, loss and gradients to `burn.parity.safetensors`.
pub fn parity(config: &TrainConfig) -> Result<()> {
    let device = device(config)?.autodiff();
    let model = load(&config.init, &device)?;
    let train = Data::read(&config.train_bin, config.train_size, config, &device)?;
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let batch = order.epoch(0).chunks(config.batch_size).next().unwrap();

    let (images, labels) = train.batch(batch);
    let logits = model.forward(images); // [B, 10]
    let cross_entropy = CrossEntropyLossConfig::new().init(&device);
    let loss = cross_entropy.forward(logits.clone(), labels); // [1]
    let grads = loss.backward();

    let mut file = gradients(&model, &grads)?;
    file.insert("logits", &[batch.len(), 10], logits.try_into_vec_as()?);
    file.insert("loss", &[1], loss.try_into_vec_as()?);
    file.write(config.output.join("burn.parity.safetensors"))
}
