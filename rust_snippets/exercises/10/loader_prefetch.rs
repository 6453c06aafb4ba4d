/// The items of `source`, made ahead in a thread of their own.
fn prefetch<T: Send + 'static>(
    source: impl Iterator<Item = T> + Send + 'static,
    depth: usize,
) -> impl Iterator<Item = T> {
    // BEGIN SOLUTION
    // STUB: let _ = depth;
    // STUB: todo!();
    // STUB: #[allow(unreachable_code)]
    // STUB: source
    let (sender, receiver) = std::sync::mpsc::sync_channel(depth);
    std::thread::spawn(move || {
        for item in source {
            if sender.send(item).is_err() {
                return;
            }
        }
    });
    receiver.into_iter()
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

let items: Vec<usize> = prefetch(0..50, 2).collect();
assert_eq!(
    items,
    (0..50).collect::<Vec<_>>(),
    "all items must come, in order"
);

let made = Arc::new(AtomicUsize::new(0));
let alive = Arc::new(());
let (counter, token) = (made.clone(), alive.clone());
let source = (0..1000).inspect(move |_| {
    let _ = &token;
    counter.fetch_add(1, Ordering::SeqCst);
});
let mut ahead = prefetch(source, 2);
assert_eq!(ahead.next(), Some(0), "the first item must come first");
let wait = || std::thread::sleep(Duration::from_millis(2));
(0..250)
    .take_while(|_| made.load(Ordering::SeqCst) < 4)
    .for_each(|_| wait());
(0..20).for_each(|_| wait());
assert_eq!(
    made.load(Ordering::SeqCst),
    4,
    "after one item has been taken, the thread must have made that one, two for the channel and one more, and then wait"
);
drop(ahead);
(0..500)
    .take_while(|_| Arc::strong_count(&alive) > 1)
    .for_each(|_| wait());
assert_eq!(
    Arc::strong_count(&alive),
    1,
    "the thread must end when nobody takes items any more"
);
// END HIDDEN TESTS
