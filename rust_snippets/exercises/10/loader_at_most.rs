use std::sync::Arc;
use tokio::sync::Semaphore;

/// The answers of `fetch(0)` to `fetch(count - 1)`, with at most `limit` under way at once.
async fn fetch_all<F, R>(count: usize, limit: usize, fetch: F) -> Result<Vec<usize>>
where
    F: Fn(usize) -> R,
    R: Future<Output = usize> + Send + 'static,
{
    // BEGIN SOLUTION
    let permits = Arc::new(Semaphore::new(limit));
    let mut tasks = Vec::new();
    for number in 0..count {
        let (permits, answer) = (permits.clone(), fetch(number));
        tasks.push(tokio::spawn(async move {
            let _permit = permits.acquire().await?;
            anyhow::Ok(answer.await)
        }));
    }
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await??);
    }
    Ok(answers)
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
let slow = |number: usize| async move {
    MOST.fetch_max(
        UNDER_WAY.fetch_add(1, Ordering::SeqCst) + 1,
        Ordering::SeqCst,
    );
    tokio::time::sleep(Duration::from_millis(15 - number as u64)).await;
    UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
    number * 10
};
let runtime = tokio::runtime::Builder::new_current_thread()
    .enable_time()
    .build()?;
let answers = runtime.block_on(fetch_all(12, 3, slow))?;
assert_eq!(
    answers,
    (0..12).map(|number| number * 10).collect::<Vec<_>>(),
    "the answers must stand in the order of their numbers"
);
let most = MOST.load(Ordering::SeqCst);
assert!(
    most <= 3,
    "with a limit of 3, {most} were under way at once"
);
assert!(most > 1, "they must wait together, not one after the other");
assert_eq!(
    runtime.block_on(fetch_all(0, 3, slow))?,
    [0usize; 0],
    "nothing to fetch gives nothing"
);
// END HIDDEN TESTS
