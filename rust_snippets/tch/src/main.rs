//! Does the work that a run.json asks for: `tch-cells RUN.json`.

use anyhow::Result;
use common::{Task, TrainConfig};
use tch_cells::{parity::parity, train::train};

fn main() {
    if let Err(error) = run() {
        eprintln!("Error: {error:#}"); // the whole chain of reasons in one line
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let config = TrainConfig::from_args()?;
    tch::set_num_threads(i32::try_from(config.threads)?);
    match config.task {
        Task::Train => train(&config),
        Task::Parity => parity(&config),
    }
}
