//! Times the network's answer to one image and to 64 images: `latency RUN.json`.

#![recursion_limit = "256"]

use std::time::Instant;

use anyhow::Result;
use burn_cells::data::{Data, device};
use burn_cells::weights::load;
use common::{Report, TrainConfig};

fn main() -> Result<()> {
    let config = TrainConfig::from_args()?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads)
        .build_global()?;
    let device = device(&config)?; // without `autodiff()`: nothing is kept for gradients
    let model = load(&config.init, &device)?;
    let test = Data::read(&config.test_bin, config.test_size, &config, &device)?;
    let mut report = Report::new("burn")?;
    for (images, repeats) in [(1, 100), (64, 8)] {
        let (batch, _) = test.batch(&Vec::from_iter(0..images)); // [B, 3, 32, 32]
        for repeat in 0..=repeats {
            let input = batch.clone(); // `forward` takes its input
            let start = Instant::now();
            let logits = model.forward(input); // [B, 10]
            logits.try_into_vec_as::<f32>()?; // numbers in plain memory: now the answer is there
            let seconds = start.elapsed().as_secs_f64();
            if repeat > 0 {
                report.metric(&format!("answer to {images}"), seconds)?; // the first one warms up
            }
        }
    }
    println!("burn: timed");
    Ok(())
}
