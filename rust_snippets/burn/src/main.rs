//! Does the work that a run.json asks for: `burn-cells RUN.json`.

#![recursion_limit = "256"] // Burn's types nest deeper than the compiler's default of 128

use anyhow::Result;
use burn_cells::{parity::parity, train::train};
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
