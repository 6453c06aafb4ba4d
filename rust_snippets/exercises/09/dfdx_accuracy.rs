fn accuracy(logits: Tensor<(usize, Const<10>), f32, Cpu>, labels: &[usize]) -> f32 {
    // BEGIN SOLUTION
    let values = logits.as_vec();
    let guess = |row: &[f32]| (0..10).max_by(|&a, &b| row[a].total_cmp(&row[b]));
    let right = values
        .chunks(10)
        .zip(labels)
        .filter(|(row, &label)| guess(row) == Some(label));
    right.count() as f32 / labels.len() as f32
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let dev = Cpu::default();
let rows = |places: &[usize], scale: f32| {
    let mut values = vec![-1. * scale.abs(); places.len() * 10];
    places
        .iter()
        .enumerate()
        .for_each(|(row, place)| values[row * 10 + place] = scale);
    dev.tensor((values, (places.len(), Const::<10>)))
};
assert_eq!(accuracy(rows(&[3], 2.), &[3]), 1., "one row, guessed right");
assert_eq!(accuracy(rows(&[3], 2.), &[4]), 0., "one row, guessed wrong");
assert_eq!(
    accuracy(rows(&[0, 9, 5, 5], 1.), &[0, 9, 5, 6]),
    0.75,
    "three of four rows are right"
);
let below_zero = dev.tensor((
    vec![-3., -1., -2., -9., -9., -9., -9., -9., -9., -9.],
    (1, Const::<10>),
));
assert_eq!(
    accuracy(below_zero, &[1]),
    1.,
    "the largest of negative logits is the one nearest to 0"
);
// END HIDDEN TESTS
