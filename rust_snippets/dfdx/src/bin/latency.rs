//! Times the network's answer to one image and to 64 images: `latency RUN.json`.

use std::time::Instant;

use anyhow::Result;
use common::{Report, TrainConfig};
use dfdx_cells::data::{device, Data};
use dfdx_cells::model::forward;
use dfdx_cells::weights::load;

fn main() -> Result<()> {
    let config = TrainConfig::from_args()?;
    dfdx::flush_denormals_to_zero();
    rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads)
        .start_handler(|_| dfdx::flush_denormals_to_zero())
        .build_global()?;
    let device = device(&config)?;
    let model = load(&config.init, &device)?;
    let test = Data::read(&config.test_bin, config.test_size, &config, &device)?;
    let mut report = Report::new("dfdx")?;
    for (images, repeats) in [(1, 100), (64, 8)] {
        let (batch, _) = test.batch(&Vec::from_iter(0..images))?; // [B, 3, 32, 32]
        for repeat in 0..=repeats {
            let input = batch.clone(); // `forward` takes its input
            let start = Instant::now();
            let logits = forward(&model, input)?; // [B, 10]
            logits.as_vec(); // numbers in plain memory: now the answer is there
            let seconds = start.elapsed().as_secs_f64();
            if repeat > 0 {
                report.metric(&format!("answer to {images}"), seconds)?; // the first one warms up
            }
        }
    }
    println!("dfdx: timed");
    Ok(())
}
