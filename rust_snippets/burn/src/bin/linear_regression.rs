//! Trains the linear regression of a task's folder: `linear_regression FOLDER`.

#![recursion_limit = "256"]

use anyhow::Result;
use burn_cells::linear_regression::train;
use common::SmallTask;

fn main() -> Result<()> {
    let task = SmallTask::from_args()?;
    let losses = train(&task)?;
    task.report("burn", &losses)
}
