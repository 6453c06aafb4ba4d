//! The settings of one run, read from the `run.json` that Python writes.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use serde::Deserialize;

/// What an engine's program is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Train for all epochs, then write the weights.
    Train,
    /// One forward and backward pass, then write logits, loss and gradients.
    Parity,
}

/// One run's settings. A field that is missing, unknown or of the wrong type is an error.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    pub task: Task,
    /// Images in the official binary layout (see [`crate::cifar`]).
    pub train_bin: PathBuf,
    pub test_bin: PathBuf,
    /// The first so many records of each file are used.
    pub train_size: usize,
    pub test_size: usize,
    /// The first weights, and the order of the images in each epoch.
    pub init: PathBuf,
    pub order: PathBuf,
    pub epochs: usize,
    pub batch_size: usize,
    pub learning_rate: f64,
    pub seed: u64,
    /// `cpu` or `cuda`.
    pub device: String,
    pub threads: usize,
    /// Mean and standard deviation of each colour; a pixel becomes `(x / 255 - mean) / std`.
    pub mean: [f32; 3],
    pub std: [f32; 3],
    /// The folder for what the engine writes.
    pub output: PathBuf,
}

impl TrainConfig {
    /// Reads the `run.json` that the program's only argument names.
    pub fn from_args() -> Result<Self> {
        let mut arguments = std::env::args_os().skip(1);
        match (arguments.next(), arguments.next()) {
            (Some(path), None) => Self::read(path),
            _ => bail!("expected one argument: the path of run.json"),
        }
    }

    /// Reads `path`; relative paths in it start from its own folder.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let mut config: Self =
            serde_json::from_str(&text).with_context(|| format!("{name} is not a valid run"))?;
        config
            .check()
            .with_context(|| format!("{name} is not a valid run"))?;

        let folder = path.parent().unwrap_or(Path::new("."));
        for file in [
            &mut config.train_bin,
            &mut config.test_bin,
            &mut config.init,
            &mut config.order,
            &mut config.output,
        ] {
            *file = folder.join(&*file); // an absolute path stays as it is
        }
        Ok(config)
    }

    fn check(&self) -> Result<()> {
        for (name, value) in [
            ("train_size", self.train_size),
            ("test_size", self.test_size),
            ("epochs", self.epochs),
            ("batch_size", self.batch_size),
            ("threads", self.threads),
        ] {
            ensure!(value > 0, "{name} must be at least 1");
        }
        ensure!(
            self.learning_rate.is_finite() && self.learning_rate > 0.0,
            "learning_rate must be above 0, not {}",
            self.learning_rate
        );
        ensure!(
            self.std.iter().all(|&s| s > 0.0),
            "std must be above 0, not {:?}",
            self.std
        );
        ensure!(
            ["cpu", "cuda"].contains(&self.device.as_str()),
            "device must be \"cpu\" or \"cuda\", not {:?}",
            self.device
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = r#"{
        "task": "train", "train_bin": "train.bin", "test_bin": "/data/test.bin",
        "train_size": 40, "test_size": 10, "init": "init.safetensors", "order": "order.safetensors",
        "epochs": 2, "batch_size": 8, "learning_rate": 0.001, "seed": 0, "device": "cpu",
        "threads": 2, "mean": [0.5, 0.5, 0.5], "std": [0.25, 0.25, 0.25], "output": "out" }"#;

    fn read(name: &str, text: &str) -> Result<TrainConfig> {
        let path = crate::test_folder(name).join("run.json");
        std::fs::write(&path, text).unwrap();
        TrainConfig::read(path)
    }

    fn refusal(name: &str, text: &str) -> String {
        format!("{:#}", read(name, text).unwrap_err())
    }

    #[test]
    fn relative_paths_start_from_the_run_folder() {
        let config = read("relative", RUN).unwrap();
        assert_eq!(
            config.train_bin,
            crate::test_folder("relative").join("train.bin")
        );
        assert_eq!(config.test_bin, Path::new("/data/test.bin"));
        assert_eq!(config.task, Task::Train);
    }

    #[test]
    fn an_unknown_field_is_refused_by_name() {
        let text = RUN.replace("\"seed\"", "\"sead\": 1, \"seed\"");
        assert!(refusal("unknown", &text).contains("unknown field `sead`"));
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let text = RUN.replace("\"batch_size\": 8", "\"batch_size\": 0");
        assert!(refusal("range", &text).ends_with("batch_size must be at least 1"));
        let text = RUN.replace("\"cpu\"", "\"gpu\"");
        assert!(refusal("device", &text).ends_with("not \"gpu\""));
    }
}
