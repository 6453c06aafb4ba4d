//! Times the network's answer to one image and to 64 images: `latency RUN.json`.

use std::time::Instant;

use anyhow::Result;
use common::{Report, TrainConfig};
use tch::nn::Module;
use tch::no_grad;
use tch_cells::data::{Data, device};
use tch_cells::train::network;

fn main() -> Result<()> {
    let config = TrainConfig::from_args()?;
    tch::set_num_threads(i32::try_from(config.threads)?);
    let device = device(&config)?;
    let (_variables, model) = network(&config, device)?;
    let test = Data::read(&config.test_bin, config.test_size, &config, device)?;
    let mut report = Report::new("tch")?;
    for (images, repeats) in [(1, 100), (64, 8)] {
        let (batch, _) = test.batch(&Vec::from_iter(0..images)); // [B, 3, 32, 32]
        for repeat in 0..=repeats {
            let start = Instant::now();
            let logits = no_grad(|| model.forward(&batch)); // [B, 10]
            Vec::<Vec<f32>>::try_from(&logits)?; // numbers in plain memory: now the answer is there
            let seconds = start.elapsed().as_secs_f64();
            if repeat > 0 {
                report.metric(&format!("answer to {images}"), seconds)?; // the first one warms up
            }
        }
    }
    println!("tch: timed");
    Ok(())
}
