struct Momentum {
    vars: Vec<Var>,
    velocities: Vec<Var>,
    learning_rate: f64,
    momentum: f64,
}

impl Momentum {
    fn new(vars: Vec<Var>, learning_rate: f64, momentum: f64) -> Result<Self> {
        let zeros = |var: &Var| Ok(Var::from_tensor(&var.zeros_like()?)?);
        let velocities = vars.iter().map(zeros).collect::<Result<Vec<_>>>()?;
        Ok(Self {
            vars,
            velocities,
            learning_rate,
            momentum,
        })
    }

    fn step(&mut self, grads: &candle_core::backprop::GradStore) -> Result<()> {
        // BEGIN SOLUTION
        for (w, v) in self.vars.iter().zip(&self.velocities) {
            if let Some(grad) = grads.get(w) {
                v.set(&((v.as_tensor() * self.momentum)? + grad)?)?;
                w.set(&(w.as_tensor() - (v.as_tensor() * self.learning_rate)?)?)?;
            }
        }
        Ok(())
        // END SOLUTION
    }
}
// BEGIN HIDDEN TESTS
let a = Var::new(&[2f32, -1.], &Device::Cpu)?;
let b = Var::new(&[[4f32]], &Device::Cpu)?;
let unused = Var::new(&[5f32], &Device::Cpu)?;
let mut optimizer = Momentum::new(vec![a.clone(), b.clone(), unused.clone()], 0.1, 0.9)?;
let mut seen = Vec::new();
for _ in 0..3 {
    let loss = (a.sqr()?.sum_all()? + b.sqr()?.sum_all()?)?;
    optimizer.step(&loss.backward()?)?;
    seen.extend(a.to_vec1::<f32>()?);
    seen.extend(b.flatten_all()?.to_vec1::<f32>()?);
}
let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
assert!(
    near(&seen[..3], &[1.6, -0.8, 3.2]),
    "the first step gives 1.6, -0.8 and 3.2, not {:?}",
    &seen[..3]
);
assert!(
    near(&seen[3..6], &[0.92, -0.46, 1.84]),
    "the second gives 0.92, -0.46 and 1.84, not {:?}",
    &seen[3..6]
);
assert!(
    near(&seen[6..], &[0.124, -0.062, 0.248]),
    "the third gives 0.124, -0.062 and 0.248, not {:?}",
    &seen[6..]
);
assert_eq!(
    unused.to_vec1::<f32>()?,
    [5.0],
    "a variable without a gradient stays as it is"
);
// END HIDDEN TESTS
