fn without_gradients<T>(work: impl FnOnce() -> T) -> T {
    // BEGIN SOLUTION
    // STUB: let _ = tch::no_grad_guard();
    let _guard = tch::no_grad_guard();
    work()
    // STUB: work()
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let weight = Tensor::from_slice(&[1f32, 2.]).set_requires_grad(true);
let tracked = || (&weight * 2.).requires_grad();
assert!(
    !without_gradients(tracked),
    "inside, a product of weights must not be tracked"
);
assert!(tracked(), "afterwards it must be tracked again");
let seven = without_gradients(|| 7);
assert_eq!(seven, 7, "the closure's value must come back");
let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
    without_gradients(|| panic!("on purpose"))
}));
assert!(ended.is_err(), "a panic must go on");
assert!(tracked(), "after a panic, gradients must be back");
// END HIDDEN TESTS
