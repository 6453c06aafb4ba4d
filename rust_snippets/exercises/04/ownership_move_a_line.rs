let mut losses = vec![Tensor::new(2.3f32, &Device::Cpu)?];
let first = &losses[0];
// BEGIN SOLUTION
// STUB: losses.push(Tensor::new(1.9f32, &Device::Cpu)?);
// STUB: let shown = first.to_scalar::<f32>()?;
let shown = first.to_scalar::<f32>()?;
losses.push(Tensor::new(1.9f32, &Device::Cpu)?);
// END SOLUTION
println!("{shown} and {} losses", losses.len());
// BEGIN HIDDEN TESTS
assert_eq!(losses.len(), 2, "there must be two losses");
assert_eq!(shown, 2.3f32, "`shown` must be the first loss");
assert_eq!(
    losses[1].to_scalar::<f32>()?,
    1.9,
    "the second loss must be 1.9"
);
// END HIDDEN TESTS
