//! Does the work that a run.json asks for: `dfdx-cells RUN.json`.

use anyhow::Result;
use common::{Task, TrainConfig};
use dfdx_cells::{parity::parity, train::train};

fn main() {
    if let Err(error) = run() {
        eprintln!("Error: {error:#}"); // the whole chain of reasons in one line
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let config = TrainConfig::from_args()?;
    dfdx::flush_denormals_to_zero(); // numbers next to 0 slow the processor down
    rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads)
        .start_handler(|_| dfdx::flush_denormals_to_zero()) // each thread has its own switch
        .build_global()?;
    match config.task {
        Task::Train => train(&config),
        Task::Parity => parity(&config),
    }
}
