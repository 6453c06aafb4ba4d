//! A small training task in one folder: samples in a fixed order, first weights, settings.
//!
//! `task.json` holds the settings, `samples.safetensors` the tensors `x` and `y`,
//! `init.safetensors` the first weights under PyTorch's names. Trained weights go beside them.

use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use serde::Deserialize;

use crate::{Report, Weights};

/// The content of `task.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    samples: usize,
    inputs: usize,
    batch_size: usize,
    steps: usize,
    learning_rate: f64,
}

/// One task, read from its folder.
#[derive(Debug)]
pub struct SmallTask {
    pub learning_rate: f64,
    folder: PathBuf,
    settings: Settings,
    samples: Weights,
}

impl SmallTask {
    /// Reads the folder that the program's only argument names.
    pub fn from_args() -> Result<Self> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let [folder] = arguments.as_slice() else {
            anyhow::bail!("name one folder that holds a task.json");
        };
        Self::read(folder)
    }

    /// Reads settings and samples; `x` must be `[samples, inputs]` and `y` `[samples]`.
    pub fn read(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref().to_path_buf();
        let path = folder.join("task.json");
        let name = path.display();
        let text = std::fs::read(&path).with_context(|| format!("cannot read {name}"))?;
        let settings: Settings =
            serde_json::from_slice(&text).with_context(|| format!("{name} is no task"))?;
        ensure!(
            settings.batch_size > 0 && settings.inputs > 0 && settings.samples > 0,
            "{name}: batch_size, inputs and samples must be above 0"
        );
        let shapes: [(&str, &[usize]); 2] = [
            ("x", &[settings.samples, settings.inputs]),
            ("y", &[settings.samples]),
        ];
        Ok(Self {
            learning_rate: settings.learning_rate,
            samples: Weights::read(folder.join("samples.safetensors"), &shapes)?,
            folder,
            settings,
        })
    }

    /// One batch a step, in the samples' order and again from the first: `[B, inputs]` and `[B]`.
    pub fn batches(&self) -> impl Iterator<Item = (&[f32], &[f32])> {
        let Settings {
            inputs, batch_size, ..
        } = self.settings;
        let x = self.samples.get("x").chunks(batch_size * inputs);
        let y = self.samples.get("y").chunks(batch_size);
        x.zip(y).cycle().take(self.settings.steps)
    }

    /// The file with the first weights.
    pub fn init(&self) -> PathBuf {
        self.folder.join("init.safetensors")
    }

    /// The first weights, which must have these names and shapes.
    pub fn first_weights(&self, shapes: &[(&str, &[usize])]) -> Result<Weights> {
        Weights::read(self.init(), shapes)
    }

    /// The file for the weights that `engine` has trained.
    pub fn trained(&self, engine: &str) -> PathBuf {
        self.folder.join(format!("{engine}.safetensors"))
    }

    /// Sends the losses to the notebook, and prints the first and the last.
    pub fn report(&self, engine: &'static str, losses: &[f32]) -> Result<()> {
        let mut report = Report::new(engine)?;
        for (step, &loss) in losses.iter().enumerate() {
            report.step(1, step + 1, losses.len(), loss.into())?;
        }
        if let [first, .., last] = losses {
            let steps = losses.len();
            println!("{engine:<8}{steps} steps, loss {first:.4} to {last:.4}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(folder: &str, settings: &str) -> Result<SmallTask> {
        let folder = crate::test_folder(folder);
        std::fs::write(folder.join("task.json"), settings)?;
        let mut samples = Weights::default();
        samples.insert("x", &[3, 2], vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        samples.insert("y", &[3], vec![0.0, 1.0, 2.0]);
        samples.write(folder.join("samples.safetensors"))?;
        SmallTask::read(folder)
    }

    const SETTINGS: &str =
        r#"{"samples": 3, "inputs": 2, "batch_size": 2, "steps": 3, "learning_rate": 0.5}"#;

    #[test]
    fn batches_go_round_and_the_last_is_smaller() {
        let task = task("small_task", SETTINGS).unwrap();
        let batches: Vec<_> = task.batches().collect();
        let whole: (&[f32], &[f32]) = (&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0]);
        let rest: (&[f32], &[f32]) = (&[4.0, 5.0], &[2.0]);
        assert_eq!(batches, [whole, rest, whole]);
        assert_eq!(task.learning_rate, 0.5);
    }

    #[test]
    fn settings_that_do_not_fit_are_told() {
        let error = task(
            "small_task_size",
            &SETTINGS.replace("\"samples\": 3", "\"samples\": 4"),
        );
        let error = format!("{:#}", error.unwrap_err());
        assert!(
            error.ends_with("`x` is F32 [3, 2], but the network needs F32 [4, 2]"),
            "{error}"
        );
        let error = task("small_task_name", &SETTINGS.replace("steps", "stepps"));
        assert!(format!("{:#}", error.unwrap_err()).contains("unknown field `stepps`"));
    }
}
