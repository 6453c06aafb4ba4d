//! Trains the linear regression of a task's folder: `linear_regression FOLDER`.

use anyhow::Result;
use candle_cells::linear_regression::train;
use common::SmallTask;

fn main() -> Result<()> {
    let task = SmallTask::from_args()?;
    let losses = train(&task, 0.0)?; // no weight decay: Adam
    task.report("candle", &losses)
}
