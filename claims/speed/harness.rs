// Times one piece of work: TASK SIZE BATCH cpu|cuda [FILE]. Prints the median of its seconds, of processor time on a CPU.
unsafe extern "C" {
    fn clock() -> std::ffi::c_long; // processor time of the whole process, in microseconds
}

fn now(start: std::time::Instant, gpu: bool) -> f64 {
    let ticks = unsafe { clock() }; // SAFETY: the C library's `clock` takes nothing and only reads
    if gpu { start.elapsed().as_secs_f64() } else { ticks as f64 / 1e6 }
}

fn timed(gpu: bool, mut work: impl FnMut() -> Result<()>) -> Result<()> {
    let start = std::time::Instant::now();
    work()?; // the first one warms up
    let (mut times, begun) = (Vec::new(), now(start, gpu));
    while times.len() < 3 || now(start, gpu) - begun < 0.3 {
        let before = now(start, gpu);
        work()?;
        times.push(now(start, gpu) - before);
    }
    times.sort_by(f64::total_cmp);
    println!("{}", times[times.len() / 2]);
    Ok(())
}

let args: Vec<String> = std::env::args().skip(1).collect();
let (task, size, batch) = (args[0].as_str(), args[1].parse::<usize>()?, args[2].parse::<usize>()?);
let gpu = args[3] == "cuda";
