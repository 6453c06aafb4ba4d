//! Times the network's answer to one image and to 64 images: `latency RUN.json`.

use std::time::Instant;

use anyhow::Result;
use candle_cells::data::{Data, device};
use candle_cells::train::network;
use candle_nn::Module;
use common::{Report, TrainConfig};

fn main() -> Result<()> {
    let config = TrainConfig::from_args()?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads)
        .build_global()?;
    let device = device(&config)?;
    let (_variables, model) = network(&config, &device)?;
    let test = Data::read(&config.test_bin, config.test_size, &config, &device)?;
    let mut report = Report::new("candle")?;
    for (images, repeats) in [(1, 100), (64, 8)] {
        let (batch, _) = test.batch(&Vec::from_iter(0..images))?; // [B, 3, 32, 32]
        for repeat in 0..=repeats {
            let start = Instant::now();
            let logits = model.forward(&batch)?; // [B, 10]
            logits.to_vec2::<f32>()?; // numbers in plain memory: now the answer is there
            let seconds = start.elapsed().as_secs_f64();
            if repeat > 0 {
                report.metric(&format!("answer to {images}"), seconds)?; // the first one warms up
            }
        }
    }
    println!("candle: timed");
    Ok(())
}
