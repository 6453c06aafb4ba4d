//! Trains the MLP of a task's folder: `mlp FOLDER`.

use anyhow::Result;
use candle_cells::mlp::train;
use common::SmallTask;

fn main() -> Result<()> {
    let task = SmallTask::from_args()?;
    let losses = train(&task)?;
    task.report("candle", &losses)
}
