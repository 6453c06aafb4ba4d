//! Does the work that a run.json asks for: `candle-cells RUN.json`.

use anyhow::Result;
use candle_cells::{parity::parity, train::train};
use common::{Task, TrainConfig};

fn main() {
    if let Err(error) = run() {
        eprintln!("Error: {error:#}"); // the whole chain of reasons in one line
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let config = TrainConfig::from_args()?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads)
        .build_global()?;
    match config.task {
        Task::Train => train(&config),
        Task::Parity => parity(&config),
    }
}
