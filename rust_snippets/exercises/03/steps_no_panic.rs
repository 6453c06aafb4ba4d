fn product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    // BEGIN SOLUTION
    let sentence = || format!("{:?} by {:?} cannot be multiplied", a.size(), b.size());
    a.f_matmul(b).ok().with_context(sentence)
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let options = (Kind::Float, Device::Cpu);
let (a, b) = (Tensor::ones([2, 3], options), Tensor::ones([3, 4], options));
let c = product(&a, &b)?;
assert_eq!(c.size(), [2, 4], "2 by 3 times 3 by 4 is 2 by 4");
assert_eq!(
    f64::try_from(c.sum(Kind::Double))?,
    24.0,
    "each entry of the product of ones is 3"
);
let Err(error) = product(&a, &Tensor::ones([4, 5], options)) else {
    panic!("2 by 3 and 4 by 5 do not fit: an `Err` must come");
};
let said = error.to_string();
assert!(
    said.contains("[2, 3]") && said.contains("[4, 5]"),
    "both sizes must be in the error: {said:?}"
);
assert!(!said.contains('\n'), "the error must be of one line");
// END HIDDEN TESTS
