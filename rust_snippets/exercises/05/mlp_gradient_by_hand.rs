fn gradient(x: &Tensor, w: &Tensor, y: &Tensor) -> Tensor {
    // BEGIN SOLUTION
    let error = x.matmul(w) - y; // [B, 1]
    x.tr().matmul(&error) * 2.0 / x.size()[0] as f64 // [N, 1]
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let x = Tensor::from_slice2(&[[1f32, 2.], [0., -1.], [3., 1.], [2., 2.]]);
let y = Tensor::from_slice2(&[[1f32], [0.], [-2.], [4.]]);
let w = Tensor::from_slice2(&[[0.5f32], [-1.]]).set_requires_grad(true);
for rows in [4, 3] {
    let (x, y) = (x.narrow(0, 0, rows), y.narrow(0, 0, rows));
    let loss = (x.matmul(&w) - &y).square().mean(Kind::Float);
    let wanted = Tensor::run_backward(&[loss], &[&w], false, false).remove(0);
    let found = tch::no_grad(|| gradient(&x, &w, &y));
    assert_eq!(found.size(), [2, 1], "the gradient has the shape of w");
    let numbers = |t: &Tensor| Vec::<f32>::try_from(t.flatten(0, -1)).unwrap_or_default();
    assert!(
        found.allclose(&wanted, 1e-5, 1e-6, false),
        "a batch of {rows}: backward gives {:?}, the formula {:?}",
        numbers(&wanted),
        numbers(&found)
    );
}
// END HIDDEN TESTS
