//! Trains the MLP of a task's folder: `mlp FOLDER`.

use anyhow::Result;
use common::SmallTask;
use dfdx_cells::mlp::train;

fn main() -> Result<()> {
    let task = SmallTask::from_args()?;
    let losses = train(&task)?;
    task.report("dfdx", &losses)
}
