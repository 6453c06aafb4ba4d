use std::sync::Mutex;

fn update(total: &Mutex<Tensor>, change: impl Fn(&Tensor) -> Result<Tensor>) -> Result<()> {
    // BEGIN SOLUTION
    let mut held = total.lock().unwrap();
    let changed = change(&held)?;
    *held = changed;
    Ok(())
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let total = Mutex::new(Tensor::new(1f32, &Device::Cpu)?);
let locked = std::cell::Cell::new(false);
update(&total, |seen| {
    locked.set(total.try_lock().is_err());
    Ok((seen + 1.0)?)
})?;
assert!(locked.get(), "the lock must be closed while `change` runs");
assert_eq!(
    total
        .try_lock()
        .ok()
        .context("the lock must be open afterwards")?
        .to_scalar::<f32>()?,
    2.0,
    "1 + 1"
);
assert!(
    update(&total, |_| bail!("no")).is_err(),
    "an error of `change` must come back"
);
assert_eq!(
    total.lock().unwrap().to_scalar::<f32>()?,
    2.0,
    "after an error the tensor is what it was"
);
std::thread::scope(|scope| {
    for _ in 0..8 {
        scope.spawn(|| (0..100).for_each(|_| update(&total, |seen| Ok((seen + 1.0)?)).unwrap()));
    }
});
assert_eq!(
    total.lock().unwrap().to_scalar::<f32>()?,
    802.0,
    "eight threads add 100 times each"
);
// END HIDDEN TESTS
