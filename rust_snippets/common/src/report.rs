//! How a run goes: a line an epoch for the reader, and events for the notebook's plots.

use std::io::Write;
use std::time::Instant;

use anyhow::{ensure, Result};

use crate::events::{Event, Events};

/// What an epoch brought. Losses are means over images; `epoch` counts from 1.
#[derive(Clone, Copy, Debug)]
pub struct EpochReport {
    pub epoch: usize,
    pub epochs: usize,
    pub train_loss: f64,
    pub test_loss: f64,
    /// From 0 to 1.
    pub test_accuracy: f64,
    /// Time of the training steps alone.
    pub train_seconds: f64,
    /// Images trained on in this epoch.
    pub images: usize,
}

impl EpochReport {
    /// The line that every engine prints after an epoch.
    pub fn line(&self, engine: &str) -> String {
        format!(
            "{engine:<7} epoch {:>2}/{}  train loss {:.4}  test loss {:.4}  test accuracy {:.3}  {:.0} img/s",
            self.epoch,
            self.epochs,
            self.train_loss,
            self.test_loss,
            self.test_accuracy,
            self.images as f64 / self.train_seconds
        )
    }
}

/// The reporter of one run.
#[derive(Debug)]
pub struct Report {
    engine: &'static str,
    events: Events,
}

impl Report {
    /// `engine` is `tch`, `candle`, `burn` or `dfdx`.
    pub fn new(engine: &'static str) -> Result<Self> {
        let events = Events::from_env()?;
        Ok(Self { engine, events })
    }

    /// The run begins: on which device, with how many threads and parameters.
    pub fn started(&mut self, device: &str, threads: usize, parameters: usize) -> Result<()> {
        self.events.send(&Event::RunStarted {
            engine: self.engine,
            device,
            threads,
            parameters,
        })
    }

    /// Does `work` and reports its time; `name` is `load_data`, `load_weights` or `save_weights`.
    pub fn phase<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let result = work()?;
        let seconds = start.elapsed().as_secs_f64();
        self.events.send(&Event::Phase { name, seconds })?;
        Ok(result)
    }

    /// One optimizer step. A loss that is not a number ends the run.
    pub fn step(&mut self, epoch: usize, step: usize, steps: usize, loss: f64) -> Result<()> {
        ensure!(
            loss.is_finite(),
            "the loss is {loss} at step {step} of epoch {epoch}: try a lower learning rate"
        );
        self.events.send(&Event::Step {
            epoch,
            step,
            steps,
            loss,
        })
    }

    /// One epoch: prints its line and sends its event.
    pub fn epoch(&mut self, report: &EpochReport) -> Result<()> {
        writeln!(std::io::stdout(), "{}", report.line(self.engine))?;
        self.events.send(&Event::Epoch {
            epoch: report.epoch,
            train_loss: report.train_loss,
            test_loss: report.test_loss,
            test_accuracy: report.test_accuracy,
            train_seconds: report.train_seconds,
            images: report.images,
        })
    }

    /// Any other number worth showing.
    pub fn metric(&mut self, name: &str, value: f64) -> Result<()> {
        self.events.send(&Event::Metric { name, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_an_epoch() {
        let report = EpochReport {
            epoch: 1,
            epochs: 10,
            train_loss: 1.9012,
            test_loss: 1.70309,
            test_accuracy: 0.41,
            train_seconds: 2.0,
            images: 450,
        };
        assert_eq!(
            report.line("candle"),
            "candle  epoch  1/10  train loss 1.9012  test loss 1.7031  test accuracy 0.410  225 img/s"
        );
    }

    #[test]
    fn a_loss_that_is_not_a_number_ends_the_run() {
        let mut report = Report::new("candle").unwrap();
        assert!(report.step(1, 1, 63, 2.3).is_ok());
        let error = report.step(2, 5, 63, f64::NAN).unwrap_err().to_string();
        assert!(error.starts_with("the loss is NaN at step 5 of epoch 2"));
    }
}
