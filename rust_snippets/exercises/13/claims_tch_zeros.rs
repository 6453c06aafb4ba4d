fn zeros_like_article(shape: &[i64], kind: Kind) -> Tensor {
    // BEGIN SOLUTION
    // STUB: Tensor::zeros(shape, kind)
    Tensor::zeros(shape, (kind, Device::Cpu))
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
for (shape, kind) in [
    (vec![2, 3], Kind::Float),
    (vec![4], Kind::Int64),
    (vec![], Kind::Float),
] {
    let x = zeros_like_article(&shape, kind);
    assert_eq!(x.size(), shape, "the shape must be the one asked for");
    assert_eq!(x.kind(), kind, "the kind must be the one asked for");
    assert_eq!(
        f64::try_from(x.sum(Kind::Double))?,
        0.,
        "every entry must be 0"
    );
}
// END HIDDEN TESTS
