use std::time::{Duration, Instant};

fn timed(warmup: usize, repeats: usize, mut work: impl FnMut()) -> Vec<Duration> {
    // BEGIN SOLUTION
    for _ in 0..warmup {
        work();
    }
    let mut samples = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let start = Instant::now();
        work();
        samples.push(start.elapsed());
    }
    samples
    // END SOLUTION
}

fn median(samples: &[Duration]) -> Option<Duration> {
    // BEGIN SOLUTION
    let mut sorted = samples.to_vec();
    sorted.sort();
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        count if count % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2),
    }
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let slow = Duration::from_millis(400);
let mut calls = 0;
let samples = timed(1, 5, || {
    calls += 1;
    if calls == 1 {
        std::thread::sleep(slow);
    }
});
assert_eq!(calls, 6, "one call to warm up and five that count");
assert_eq!(samples.len(), 5, "a sample for each call that counts");
let middle = median(&samples).context("five samples have a median")?;
assert!(
    middle < slow,
    "the slow call was the warm-up and must not be in the samples"
);
let mut calls = 0;
let samples = timed(0, 3, || {
    calls += 1;
    std::thread::sleep(Duration::from_millis(if calls == 2 { 60 } else { 1 }));
});
assert!(
    samples[1] >= Duration::from_millis(60) && samples[1] > samples[0] && samples[1] > samples[2],
    "each sample is the time of its own call, in their order: the second one was the long one, not {samples:?}"
);
let seconds = |numbers: &[u64]| {
    numbers
        .iter()
        .map(|&n| Duration::from_secs(n))
        .collect::<Vec<_>>()
};
assert_eq!(
    median(&seconds(&[9, 1, 4])),
    Some(Duration::from_secs(4)),
    "the middle of 1, 4 and 9"
);
assert_eq!(
    median(&seconds(&[8, 1, 2, 4])),
    Some(Duration::from_secs(3)),
    "between 2 and 4, the two in the middle"
);
assert_eq!(median(&[]), None, "no samples, no median");
// END HIDDEN TESTS
