/// The median, the lower and the upper quartile.
fn spread(times: &[f64]) -> Option<(f64, f64, f64)> {
    // BEGIN SOLUTION
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = |q: f64| {
        let position = last as f64 * q;
        let below = position.floor() as usize;
        let above = (below + 1).min(last);
        sorted[below] + (sorted[above] - sorted[below]) * position.fract()
    };
    Some((at(0.5), at(0.25), at(0.75)))
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
assert_eq!(spread(&[]), None, "no times, no spread");
assert_eq!(spread(&[7.]), Some((7., 7., 7.)), "one time");
assert_eq!(
    spread(&[5., 1., 3., 4., 2.]),
    Some((3., 2., 4.)),
    "five times in any order"
);
assert_eq!(
    spread(&[1., 2., 3., 4.]),
    Some((2.5, 1.75, 3.25)),
    "between two neighbours the line is straight"
);
assert_eq!(
    spread(&[100., 1., 1., 1., 1.]),
    Some((1., 1., 1.)),
    "one slow run moves neither median nor quartiles"
);
// END HIDDEN TESTS
