use std::collections::HashMap;

fn snapshot(vars: &VarMap) -> Result<HashMap<String, Tensor>> {
    let data = vars.data().lock().expect("no other thread");
    let mut state = HashMap::new();
    for (name, var) in data.iter() {
        // BEGIN SOLUTION
        // STUB: state.insert(name.clone(), var.as_tensor().clone());
        state.insert(name.clone(), var.as_tensor().copy()?);
        // END SOLUTION
    }
    Ok(state)
}

fn restore(vars: &mut VarMap, state: &HashMap<String, Tensor>) -> Result<()> {
    Ok(vars.set(state.iter())?)
}

// BEGIN HIDDEN TESTS
let mut vars = VarMap::new();
let w = vars.get(1, "w", nn::Init::Const(2.), DType::F32, &Device::Cpu)?;
vars.get((2, 2), "b", nn::Init::Const(1.), DType::F32, &Device::Cpu)?;
let state = snapshot(&vars)?;
assert_eq!(
    state.len(),
    2,
    "the snapshot must hold every variable by its name"
);
vars.set_one("w", Tensor::new(&[5f32], &Device::Cpu)?)?;
assert_eq!(
    w.to_vec1::<f32>()?,
    [5.],
    "the variable itself must still be trainable"
);
assert_eq!(
    state["w"].to_vec1::<f32>()?,
    [2.],
    "the snapshot must not change with the variable"
);
restore(&mut vars, &state)?;
assert_eq!(
    w.to_vec1::<f32>()?,
    [2.],
    "restore must bring the old values back"
);
vars.set_one("w", Tensor::new(&[7f32], &Device::Cpu)?)?;
assert_eq!(
    state["w"].to_vec1::<f32>()?,
    [2.],
    "the snapshot must also survive training after restore"
);
// END HIDDEN TESTS
