struct Batches {
    order: Vec<usize>,
    batch_size: usize,
    drop_last: bool,
    start: usize,
}

impl Iterator for Batches {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        // BEGIN SOLUTION
        let end = self.order.len().min(self.start + self.batch_size);
        let batch = self.order[self.start..end].to_vec();
        if batch.is_empty() || (self.drop_last && batch.len() < self.batch_size) {
            return None;
        }
        self.start = end;
        Some(batch)
        // END SOLUTION
    }
}

// BEGIN HIDDEN TESTS
let cut = |batch_size, drop_last| Batches {
    order: (10..20).collect(),
    batch_size,
    drop_last,
    start: 0,
};
let sizes = |batches: Batches| {
    batches
        .take(99)
        .map(|batch| batch.len())
        .collect::<Vec<_>>()
};
assert_eq!(sizes(cut(4, false)), [4, 4, 2], "ten by 4, the rest kept");
assert_eq!(sizes(cut(4, true)), [4, 4], "ten by 4, the rest dropped");
assert_eq!(sizes(cut(5, true)), [5, 5], "ten by 5 has no rest to drop");
assert_eq!(
    sizes(cut(5, false)),
    [5, 5],
    "ten by 5 ends after two batches"
);
let mut batches = cut(4, false);
assert_eq!(
    batches.next(),
    Some(vec![10, 11, 12, 13]),
    "the first batch"
);
assert_eq!(batches.nth(1), Some(vec![18, 19]), "the last batch");
assert_eq!(
    (batches.next(), batches.next()),
    (None, None),
    "after the end there is nothing, also when asked again"
);
// END HIDDEN TESTS
