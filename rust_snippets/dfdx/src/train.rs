//! Training with Adam and cross-entropy, the batches in the run's order.

use std::time::Instant;

use anyhow::Result;
use common::{EpochReport, Order, Report, TrainConfig};
use dfdx::optim::{Adam, AdamConfig};
use dfdx::prelude::*;

use crate::data::{device, Data};
use crate::model::{forward, forward_tracked, Cnn};
use crate::weights::{load, weights};

/// Trains for all epochs and writes `dfdx.safetensors`.
pub fn train(config: &TrainConfig) -> Result<()> {
    let device = device(config)?;
    let mut report = Report::new("dfdx")?;
    let mut model = report.phase("load_weights", || load(&config.init, &device))?;
    report.started(&config.device, config.threads, model.num_trainable_params())?;
    let (train, test) = report.phase("load_data", || {
        let train = Data::read(&config.train_bin, config.train_size, config, &device)?;
        let test = Data::read(&config.test_bin, config.test_size, config, &device)?;
        Ok((train, test))
    })?;
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let steps = config.train_size.div_ceil(config.batch_size);

    let mut adam = Adam::new(
        &model,
        AdamConfig {
            lr: config.learning_rate,
            betas: [0.9, 0.999],
            eps: 1e-8,
            weight_decay: None,
        },
    );
    let mut grads = model.try_alloc_grads()?;
    for epoch in 1..=config.epochs {
        let start = Instant::now();
        let mut train_loss = 0.0;
        for (step, batch) in order.epoch(epoch - 1).chunks(config.batch_size).enumerate() {
            let (images, labels) = train.batch(batch)?;
            let logits = forward_tracked(&model, images.traced(grads))?; // the tape takes `grads`
            let loss = cross_entropy_with_logits_loss(logits, labels);
            let value = f64::from(loss.array());
            grads = loss.try_backward()?; // and gives it back, filled
            adam.update(&mut model, &grads)?;
            model.try_zero_grads(&mut grads)?;
            report.step(epoch, step + 1, steps, value)?;
            train_loss += value * batch.len() as f64;
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
    report.phase("save_weights", || {
        weights(&model).write(config.output.join("dfdx.safetensors"))
    })
}

/// Mean loss and accuracy (0 to 1) over all images.
pub fn evaluate(model: &Cnn, data: &Data) -> Result<(f64, f64)> {
    let all: Vec<usize> = (0..data.set.len()).collect();
    let (mut loss, mut correct) = (0.0, 0.0);
    for batch in all.chunks(256) {
        let (images, labels) = data.batch(batch)?;
        let logits = forward(model, images)?; // [B, 10]
        for (row, &index) in logits.as_vec().chunks(10).zip(batch) {
            let guess = (0..10).max_by(|&a, &b| row[a].total_cmp(&row[b]));
            correct += f64::from(guess == Some(data.set.labels[index].into()));
        }
        let mean = cross_entropy_with_logits_loss(logits, labels);
        loss += f64::from(mean.array()) * batch.len() as f64;
    }
    Ok((loss / all.len() as f64, correct / all.len() as f64))
}
