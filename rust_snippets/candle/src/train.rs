//! Training with Adam and cross-entropy, the batches in the run's order.

use std::time::Instant;

use anyhow::Result;
use candle_core::{DType, Device};
use candle_nn::loss::cross_entropy;
use candle_nn::{AdamW, Module, Optimizer, ParamsAdamW, VarBuilder, VarMap};
use common::weights::{self, Weights, write_whole};
use common::{EpochReport, Order, Report, TrainConfig};

use crate::data::{Data, device};
use crate::model::Cnn;

/// Trains for all epochs and writes `candle.safetensors`.
pub fn train(config: &TrainConfig) -> Result<()> {
    let device = device(config)?;
    let mut report = Report::new("candle")?;
    let (vars, model) = report.phase("load_weights", || network(config, &device))?;
    let parameters = vars.all_vars().iter().map(|var| var.elem_count()).sum();
    report.started(&config.device, config.threads, parameters)?;
    let (train, test) = report.phase("load_data", || {
        let train = Data::read(&config.train_bin, config.train_size, config, &device)?;
        let test = Data::read(&config.test_bin, config.test_size, config, &device)?;
        Ok((train, test))
    })?;
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let steps = config.train_size.div_ceil(config.batch_size);

    let adam = ParamsAdamW {
        lr: config.learning_rate,
        weight_decay: 0.0, // without it AdamW is Adam; Candle has no other
        ..Default::default()
    };
    let mut optimizer = AdamW::new(vars.all_vars(), adam)?;
    for epoch in 1..=config.epochs {
        let start = Instant::now();
        let mut train_loss = 0.0;
        for (step, batch) in order.epoch(epoch - 1).chunks(config.batch_size).enumerate() {
            let (images, labels) = train.batch(batch)?;
            let loss = cross_entropy(&model.forward(&images)?, &labels)?;
            optimizer.backward_step(&loss)?; // gradients are new each time: no zero_grad
            let loss = f64::from(loss.to_scalar::<f32>()?);
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
    let path = config.output.join("candle.safetensors");
    report.phase("save_weights", || {
        write_whole(&path, |temporary| Ok(vars.save(temporary)?))
    })
}

/// The network with the run's first weights.
pub fn network(config: &TrainConfig, device: &Device) -> Result<(VarMap, Cnn)> {
    Weights::read(&config.init, &weights::CNN)?; // the right names and shapes, or an error
    let mut vars = VarMap::new();
    let model = Cnn::new(VarBuilder::from_varmap(&vars, DType::F32, device))?;
    vars.load(&config.init)?;
    Ok((vars, model))
}

/// Mean loss and accuracy (0 to 1) over all images.
pub fn evaluate(model: &Cnn, data: &Data) -> Result<(f64, f64)> {
    let all: Vec<usize> = (0..data.set.len()).collect();
    let (mut loss, mut correct) = (0.0, 0.0);
    for batch in all.chunks(256) {
        let (images, labels) = data.batch(batch)?;
        let logits = model.forward(&images)?; // [B, 10]
        let mean = cross_entropy(&logits, &labels)?.to_scalar::<f32>()?;
        let guesses = logits.argmax(1)?.to_dtype(DType::I64)?; // [B]
        let hits = guesses.eq(&labels)?.to_dtype(DType::F32)?;
        let hits = hits.sum_all()?.to_scalar::<f32>()?;
        loss += f64::from(mean) * batch.len() as f64;
        correct += f64::from(hits);
    }
    Ok((loss / all.len() as f64, correct / all.len() as f64))
}
