use std::collections::HashMap;
use std::path::Path;

fn load_strict(vs: &mut nn::VarStore, file: &Path) -> Result<()> {
    // BEGIN SOLUTION
    let found: HashMap<String, Tensor> = Tensor::read_safetensors(file)?.into_iter().collect();
    let wanted = vs.variables();
    for (name, tensor) in &wanted {
        let stored = found
            .get(name)
            .with_context(|| format!("the file has no {name}"))?;
        ensure!(
            stored.size() == tensor.size(),
            "{name} is {:?} in the file, {:?} in the store",
            stored.size(),
            tensor.size()
        );
    }
    for name in found.keys() {
        ensure!(wanted.contains_key(name), "the store has no {name}");
    }
    vs.load(file)?;
    Ok(())
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let file = std::env::temp_dir().join(format!("strict-{}.safetensors", std::process::id()));
let write = |tensors: &[(&str, &[i64])]| {
    let named: Vec<_> = tensors
        .iter()
        .map(|(name, size)| (*name, Tensor::full(*size, 7, (Kind::Float, Device::Cpu))))
        .collect();
    Tensor::write_safetensors(&named, &file)
};
let make = || {
    let vs = nn::VarStore::new(Device::Cpu);
    let _ = nn::linear(vs.root() / "fc", 3, 2, Default::default());
    vs
};
let sevens = |vs: &nn::VarStore| {
    let is_seven = |x: &Tensor| (x - 7.0).abs().max().double_value(&[]) == 0.0;
    vs.variables().values().filter(|x| is_seven(x)).count()
};

let cases: [(&str, &[(&str, &[i64])], &str); 3] = [
    ("a name too few", &[("fc.weight", &[2, 3])], "fc.bias"),
    (
        "a name too many",
        &[
            ("fc.weight", &[2, 3]),
            ("fc.bias", &[2]),
            ("head.bias", &[4]),
        ],
        "head.bias",
    ),
    (
        "another size",
        &[("fc.weight", &[2, 3]), ("fc.bias", &[1])],
        "fc.bias",
    ),
];
for (case, tensors, name) in cases {
    write(tensors)?;
    let mut vs = make();
    let outcome = load_strict(&mut vs, &file);
    let text = format!(
        "{:#}",
        outcome
            .err()
            .unwrap_or_else(|| panic!("{case} must be an Err"))
    );
    assert!(
        text.contains(name),
        "{case}: the text must hold {name}; it is: {text}"
    );
    assert_eq!(sevens(&vs), 0, "{case}: the store must be unchanged");
}
write(&[("fc.weight", &[2, 3]), ("fc.bias", &[2])])?;
let mut vs = make();
load_strict(&mut vs, &file).context("a file that fits must be loaded")?;
assert_eq!(sevens(&vs), 2, "both tensors must have the file's numbers");
std::fs::remove_file(&file)?;
assert!(
    load_strict(&mut make(), &file).is_err(),
    "a file that is not there is an Err"
);
// END HIDDEN TESTS
