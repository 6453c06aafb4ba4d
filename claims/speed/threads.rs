// Prints the least seconds, by the clock, of three operations; RAYON_NUM_THREADS says how many threads there are.
fn least(mut task: impl FnMut() -> candle_core::Result<Tensor>) -> Result<f64> {
    task()?;
    let mut least = f64::INFINITY;
    for _ in 0..7 {
        let start = std::time::Instant::now();
        task()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least)
}

let device = Device::Cpu;
let a = Tensor::randn(0f32, 1., (768, 768), &device)?;
let images = Tensor::randn(0f32, 1., (16, 32, 32, 32), &device)?;
let kernel = Tensor::randn(0f32, 1., (64, 32, 3, 3), &device)?;
let matmul = least(|| a.matmul(&a))?;
let conv2d = least(|| images.conv2d(&kernel, 1, 1, 1, 1))?;
let max_pool2d = least(|| images.max_pool2d(2))?;
println!(r#"{{"matmul": {matmul}, "conv2d": {conv2d}, "max_pool2d": {max_pool2d}}}"#);
