// BEGIN SOLUTION
// STUB: fn total(a: &Tensor) -> f32 {
// STUB:     a.sum_all()?.to_scalar::<f32>()?
// STUB: }
fn total(a: &Tensor) -> Result<f32> {
    Ok(a.sum_all()?.to_scalar::<f32>()?)
}
// END SOLUTION
// BEGIN HIDDEN TESTS
let sum = total(&Tensor::new(&[1f32, 2., 4.], &Device::Cpu)?);
assert_eq!(sum.ok(), Some(7.0), "1, 2 and 4 are 7");
let integers = total(&Tensor::new(&[1i64, 2], &Device::Cpu)?);
assert!(integers.is_err(), "integers are no f32: an `Err` must come");
// END HIDDEN TESTS
