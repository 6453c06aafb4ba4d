// BEGIN SOLUTION
// STUB: struct Batches {
// STUB:     images: &Tensor,
struct Batches<'a> {
    images: &'a Tensor,
    // END SOLUTION
    size: usize,
    start: usize,
}

// BEGIN SOLUTION
// STUB: impl Iterator for Batches {
impl Iterator for Batches<'_> {
    // END SOLUTION
    type Item = Result<Tensor>;

    fn next(&mut self) -> Option<Result<Tensor>> {
        // BEGIN SOLUTION
        let left = self.images.dims()[0]
            .checked_sub(self.start)
            .filter(|&left| left > 0)?;
        let batch = self.images.narrow(0, self.start, left.min(self.size));
        self.start += self.size;
        Some(batch.context("a batch"))
        // END SOLUTION
    }
}
// BEGIN HIDDEN TESTS
let cut = |images: usize, size: usize| -> Result<Vec<Vec<f32>>> {
    let images = Tensor::arange(0f32, images as f32, &Device::Cpu)?.reshape((images, 1))?;
    let batches = Batches {
        images: &images,
        size,
        start: 0,
    };
    let batches = batches.take(20).collect::<Result<Vec<_>>>()?;
    for batch in &batches {
        ensure!(
            batch.dims()[1..] == [1],
            "a batch of [N, 1] must be [B, 1], and is {:?}",
            batch.dims()
        );
    }
    batches
        .iter()
        .map(|batch| Ok(batch.flatten_all()?.to_vec1()?))
        .collect()
};
assert_eq!(
    cut(7, 3)?,
    [vec![0., 1., 2.], vec![3., 4., 5.], vec![6.]],
    "seven images by 3"
);
assert_eq!(cut(4, 2)?, [[0., 1.], [2., 3.]], "four images by 2");
let images = Tensor::zeros((3, 1), DType::F32, &Device::Cpu)?;
let batch = Batches {
    images: &images,
    size: 2,
    start: 0,
}
.next();
assert_eq!(
    batch.context("a first batch")??.dims(),
    [2, 1],
    "a batch outlives the iterator"
);
let end = Batches {
    images: &images,
    size: 2,
    start: 3,
}
.next();
assert!(end.is_none(), "after the last image there is no batch");
// END HIDDEN TESTS
