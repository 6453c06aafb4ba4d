//! Training with Adam and cross-entropy, the batches in the run's order.

use std::time::Instant;

use anyhow::Result;
use burn::nn::loss::CrossEntropyLossConfig;
use burn::optim::{AdamConfig, GradientsParams};
use burn::prelude::*;
use common::{EpochReport, Order, Report, TrainConfig};

use crate::data::{Data, device};
use crate::model::Cnn;
use crate::weights::{load, weights};

/// Trains for all epochs and writes `burn.safetensors`.
pub fn train(config: &TrainConfig) -> Result<()> {
    let plain = device(config)?;
    let device = plain.clone().autodiff(); // what is made here is tracked for gradients
    let mut report = Report::new("burn")?;
    let mut model = report.phase("load_weights", || load(&config.init, &device))?;
    report.started(&config.device, config.threads, model.num_params())?;
    let (train, test) = report.phase("load_data", || {
        let train = Data::read(&config.train_bin, config.train_size, config, &device)?;
        let test = Data::read(&config.test_bin, config.test_size, config, &plain)?;
        Ok((train, test))
    })?;
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let steps = config.train_size.div_ceil(config.batch_size);

    let cross_entropy = CrossEntropyLossConfig::new().init(&device);
    let mut adam = AdamConfig::new().with_epsilon(1e-8).init(); // Burn's default is 1e-5
    for epoch in 1..=config.epochs {
        let start = Instant::now();
        let mut train_loss = 0.0;
        for (step, batch) in order.epoch(epoch - 1).chunks(config.batch_size).enumerate() {
            let (images, labels) = train.batch(batch);
            let loss = cross_entropy.forward(model.forward(images), labels);
            let grads = GradientsParams::from_grads(loss.backward(), &model);
            model = adam.step(config.learning_rate, model, grads); // takes the model, gives the next
            let loss: f64 = loss.try_into_scalar()?;
            report.step(epoch, step + 1, steps, loss)?;
            train_loss += loss * batch.len() as f64;
        }
        let train_seconds = start.elapsed().as_secs_f64();
        let (test_loss, test_accuracy) = evaluate(&model.valid(), &test)?; // without gradients
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
    report.phase("save_weights", || {
        weights(&model)?.write(config.output.join("burn.safetensors"))
    })
}

/// Mean loss and accuracy (0 to 1) over all images.
pub fn evaluate(model: &Cnn, data: &Data) -> Result<(f64, f64)> {
    let all: Vec<usize> = (0..data.set.len()).collect();
    let (mut loss, mut correct) = (0.0, 0.0);
    for batch in all.chunks(256) {
        let (images, labels) = data.batch(batch);
        let logits = model.forward(images); // [B, 10]
        let guesses = logits.clone().argmax(1).squeeze_dim(1); // [B]
        let hits = guesses.equal(labels.clone()).int().sum();
        let mean = CrossEntropyLossConfig::new()
            .init(&labels.device())
            .forward(logits, labels);
        loss += mean.try_into_scalar::<f64>()? * batch.len() as f64;
        correct += hits.try_into_scalar::<f64>()?;
    }
    Ok((loss / all.len() as f64, correct / all.len() as f64))
}
