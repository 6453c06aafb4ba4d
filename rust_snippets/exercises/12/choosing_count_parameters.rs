fn parameters(vars: &VarMap) -> usize {
    // BEGIN SOLUTION
    vars.all_vars().iter().map(|var| var.elem_count()).sum()
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let vars = VarMap::new();
assert_eq!(parameters(&vars), 0, "an empty map holds nothing");
let builder = VarBuilder::from_varmap(&vars, DType::F32, &Device::Cpu);
nn::linear(10, 4, builder.pp("first"))?;
assert_eq!(parameters(&vars), 44, "10 x 4 weights and 4 biases");
nn::linear_no_bias(4, 3, builder.pp("second"))?;
assert_eq!(parameters(&vars), 56, "12 more from a layer without bias");
nn::linear(10, 4, builder.pp("first"))?;
assert_eq!(
    parameters(&vars),
    56,
    "a layer under the same name shares its variables"
);
// END HIDDEN TESTS
