//! Training by Burn's Learner: `learner RUN.json train`, `resume` or `stop`.

#![recursion_limit = "256"]

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use burn::data::dataloader::{DataLoader, DataLoaderBuilder};
use burn::data::dataset::{Dataset, transform::SelectionDataset};
use burn::optim::AdamConfig;
use burn::train::metric::store::{Aggregate, Direction, Split};
use burn::train::metric::{AccuracyMetric, LossMetric};
use burn::train::{Learner, MetricEarlyStoppingStrategy, StoppingCondition, SupervisedTraining};
use burn_cells::data::device;
use burn_cells::epoch_lines::EpochLines;
use burn_cells::loader::{Batch, Cifar, Item, ToTensors};
use burn_cells::model::Cnn;
use burn_cells::weights::{load, weights};
use common::{CifarSet, Order, TrainConfig};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [run, work] = arguments.as_slice() else {
        bail!("expected a run.json, and train, resume or stop");
    };
    let mut config = TrainConfig::read(run)?;
    let folder = config.output.join(work); // for metrics and checkpoints
    std::fs::remove_dir_all(&folder).ok(); // those of an earlier run
    match work.as_str() {
        "train" => {
            let training = training(&config, &folder)?.with_default_checkpointers();
            let model = fit(training, learner(&config)?)?;
            weights(&model)?.write(config.output.join("learner.safetensors"))
        }
        "resume" => {
            let training = |epochs| -> Result<_> {
                let training = training(&config, &folder)?.num_epochs(epochs);
                Ok(training.with_default_checkpointers())
            };
            fit(training(1)?, learner(&config)?)?;
            println!("-- a new start, from what epoch 1 has left");
            fit(training(config.epochs)?.checkpoint(1), learner(&config)?)?;
            Ok(())
        }
        "stop" => {
            config.learning_rate = 0.0; // nothing can get better
            let training = training(&config, &folder)?.num_epochs(10);
            let patience = StoppingCondition::NoImprovementSince { n_epochs: 1 };
            let training = training.early_stopping(MetricEarlyStoppingStrategy::new(
                &LossMetric::new(),
                Aggregate::Mean,
                Direction::Lowest,
                Split::Valid,
                patience,
            ));
            fit(training, learner(&config)?)?;
            Ok(())
        }
        other => bail!("there is no work {other:?}: train, resume or stop"),
    }
}

/// What is trained: the model with the run's first weights, and Adam.
fn learner(config: &TrainConfig) -> Result<Learner<Cnn>> {
    let model = load(&config.init, &device(config)?.autodiff())?;
    let adam = AdamConfig::new().with_epsilon(1e-8).init(); // Burn's default is 1e-5
    Ok(Learner::new(model, adam, config.learning_rate))
}

/// How it is trained. Every epoch takes the images in the order of the run's first.
fn training(config: &TrainConfig, folder: &Path) -> Result<SupervisedTraining<Cnn>> {
    let order = Order::read(&config.order, config.epochs, config.train_size)?;
    let train = Cifar(CifarSet::read(&config.train_bin, config.train_size)?);
    let train = SelectionDataset::from_indices_checked(train, order.epoch(0).to_vec());
    let test = Cifar(CifarSet::read(&config.test_bin, config.test_size)?);
    let train = loader(train, config.batch_size, config);
    let test = loader(test, 256, config);
    Ok(SupervisedTraining::new(folder, train, test)
        .num_epochs(config.epochs)
        .metrics((LossMetric::new(), AccuracyMetric::new()))
        .renderer(Box::new(EpochLines::default())) // the default one prints a line a batch
        .with_application_logger(None))
}

/// Batches of `size`, in the order of the dataset.
fn loader(
    images: impl Dataset<Item> + 'static,
    size: usize,
    config: &TrainConfig,
) -> Arc<dyn DataLoader<Batch>> {
    let to_tensors = ToTensors {
        mean: config.mean,
        std: config.std,
    };
    DataLoaderBuilder::new(to_tensors)
        .batch_size(size)
        .build(images)
}

/// Trains, and returns the model without autodiff. `launch` itself only notes an error.
fn fit(training: SupervisedTraining<Cnn>, learner: Learner<Cnn>) -> Result<Cnn> {
    let result = training.launch(learner);
    match result.error {
        Some(error) => Err(anyhow::anyhow!("{error}")).context("the training ended early"),
        None => Ok(result.model),
    }
}
