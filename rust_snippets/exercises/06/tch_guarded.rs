fn without_gradients<T>(f: impl FnOnce() -> T) -> T {
    // BEGIN SOLUTION
    let _guard = tch::no_grad_guard();
    f()
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
use std::panic::{AssertUnwindSafe, catch_unwind};

let w = Tensor::from_slice(&[1f32]).set_requires_grad(true);
let tracked = || (&w * 2.0).requires_grad();

assert!(!without_gradients(tracked), "inside, gradients must be off");
assert!(tracked(), "afterwards gradients must be on again");
assert_eq!(
    without_gradients(|| 42),
    42,
    "the closure's value must come back"
);
without_gradients(|| {
    without_gradients(tracked);
    assert!(
        !tracked(),
        "the inner call must not switch gradients on for the outer one"
    );
});
no_grad(|| {
    without_gradients(tracked);
    assert!(!tracked(), "inside `no_grad` gradients must stay off");
});

std::panic::set_hook(Box::new(|_| {}));
let panicked = catch_unwind(AssertUnwindSafe(|| without_gradients(|| w.view([7])))).is_err();
let _ = std::panic::take_hook();
assert!(panicked, "the closure's panic must not be swallowed");
assert!(tracked(), "after a panic gradients must be on again");
// END HIDDEN TESTS
