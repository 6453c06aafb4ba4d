//! Training with Adam and cross-entropy, the batches in the run's order.

use std::time::Instant;

use anyhow::Result;
use common::weights::{self, Weights, write_whole};
use common::{EpochReport, Order, Report, TrainConfig};
use tch::nn::{self, Module, OptimizerConfig};
use tch::{Device, Kind, Tensor, no_grad};

use crate::data::{Data, device};
use crate::model::Cnn;

/// Trains for all epochs and writes `tch.safetensors`.
pub fn train(config: &TrainConfig) -> Result<()> {
    let device = device(config)?;
    let mut report = Report::new("tch")?;
    let (vs, model) = report.phase("load_weights", || network(config, device))?;
    let parameters = vs.trainable_variables().iter().map(Tensor::numel).sum();
    report.started(&config.device, config.threads, parameters)?;
    let (train, test) = report.phase("load_data", || {
        let train = Data::read(&config.train_bin, config.train_size, config, device)?;
        let test = Data::read(&config.test_bin, config.test_size, config, device)?;
        Ok((train, test))
    })?;
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let steps = config.train_size.div_ceil(config.batch_size);

    let mut optimizer = nn::Adam::default().build(&vs, config.learning_rate)?;
    for epoch in 1..=config.epochs {
        let start = Instant::now();
        let mut train_loss = 0.0;
        for (step, batch) in order.epoch(epoch - 1).chunks(config.batch_size).enumerate() {
            let (images, labels) = train.batch(batch);
            let loss = model.forward(&images).cross_entropy_for_logits(&labels);
            optimizer.backward_step(&loss); // zero_grad, backward, step
            let loss = f64::try_from(&loss)?;
            report.step(epoch, step + 1, steps, loss)?;
            train_loss += loss * batch.len() as f64;
        }
        let train_seconds = start.elapsed().as_secs_f64();
        let (test_loss, test_accuracy) = evaluate(&model, &test)?;
        report.epoch(&EpochReport {
            epoch,
            epochs: config.epochs,
            train_loss: train_loss / config.train_size as f64,
            test_loss,
            test_accuracy,
            train_seconds,
            images: config.train_size,
        })?;
    }
    let path = config.output.join("tch.safetensors");
    report.phase("save_weights", || {
        write_whole(&path, |temporary| Ok(vs.save(temporary)?))
    })
}

/// The network with the run's first weights.
pub fn network(config: &TrainConfig, device: Device) -> Result<(nn::VarStore, Cnn)> {
    // `load` would spread a tensor of shape [1] over [32] without a word; this checks the shapes.
    Weights::read(&config.init, &weights::CNN)?;
    let mut vs = nn::VarStore::new(device);
    let model = Cnn::new(&vs.root());
    vs.load(&config.init)?;
    Ok((vs, model))
}

/// Mean loss and accuracy (0 to 1) over all images.
pub fn evaluate(model: &Cnn, data: &Data) -> Result<(f64, f64)> {
    let all: Vec<usize> = (0..data.set.len()).collect();
    let (mut loss, mut correct) = (0.0, 0.0);
    for batch in all.chunks(256) {
        let (images, labels) = data.batch(batch);
        let logits = no_grad(|| model.forward(&images)); // [B, 10]
        let mean = logits.cross_entropy_for_logits(&labels);
        let guesses = logits.argmax(1, false); // [B]
        let hits = guesses.eq_tensor(&labels).sum(Kind::Float);
        loss += f64::try_from(mean)? * batch.len() as f64;
        correct += f64::try_from(hits)?;
    }
    Ok((loss / all.len() as f64, correct / all.len() as f64))
}
