//! Trains the linear regression of a task's folder: `linear_regression FOLDER`.

use anyhow::Result;
use common::SmallTask;
use tch_cells::linear_regression::train;

fn main() -> Result<()> {
    let task = SmallTask::from_args()?;
    let losses = train(&task)?;
    task.report("tch", &losses)
}
