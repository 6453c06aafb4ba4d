fn settle(x: &Tensor, w: &Tensor, limit: f32) -> Result<(Tensor, usize)> {
    // BEGIN SOLUTION
    let (mut x, mut steps) = (x.clone(), 0);
    loop {
        let next = (&x * w)?.tanh()?;
        steps += 1;
        let change = (&next - &x)?.abs()?.max_all()?.to_scalar::<f32>()?;
        x = next;
        if change <= limit {
            return Ok((x, steps));
        }
    }
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let x = Tensor::new(&[2f32, -1.], &Device::Cpu)?;
let by_hand = |w: f32, limit: f32| {
    let (mut x, mut steps) = ([2f32, -1.], 0);
    loop {
        let next = x.map(|x| (x * w).tanh());
        steps += 1;
        let change = (next[0] - x[0]).abs().max((next[1] - x[1]).abs());
        x = next;
        if change <= limit {
            return (x[0] + x[1], steps);
        }
    }
};
for (weight, limit) in [(0.5f32, 1e-2f32), (0.5, 10.), (1.5, 1e-3)] {
    let w = Var::new(&[weight, weight], &Device::Cpu)?;
    let (y, steps) = settle(&x, &w, limit)?;
    let (sum, wanted) = by_hand(weight, limit);
    assert_eq!(
        steps, wanted,
        "number of replacements for w = {weight}, limit = {limit}"
    );
    let found = y.sum_all()?.to_scalar::<f32>()?;
    assert!(
        (found - sum).abs() < 1e-5,
        "the sum for w = {weight} must be {sum}, and is {found}"
    );
    let grads = y.sum_all()?.backward()?;
    let gradient = grads
        .get(&w)
        .expect("the gradient of w must survive")
        .sum_all()?
        .to_scalar::<f32>()?;
    let h = 1e-3;
    let steps_of = |w: f32| {
        (0..steps)
            .fold([2f32, -1.], |x, _| x.map(|x| (x * w).tanh()))
            .iter()
            .sum::<f32>()
    };
    let quotient = (steps_of(weight + h) - steps_of(weight - h)) / (2. * h);
    assert!(
        (gradient - quotient).abs() < 2e-2,
        "the gradient for w = {weight} must be about {quotient}, and is {gradient}"
    );
}
// END HIDDEN TESTS
