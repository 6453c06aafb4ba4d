//! Trains the MLP of a task's folder: `mlp FOLDER`.

#![recursion_limit = "256"]

use anyhow::Result;
use burn_cells::mlp::train;
use common::SmallTask;

fn main() -> Result<()> {
    let task = SmallTask::from_args()?;
    let losses = train(&task)?;
    task.report("burn", &losses)
}
