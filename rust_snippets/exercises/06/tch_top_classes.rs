fn top(logits: &Tensor, k: i64) -> Result<Vec<Vec<(i64, f32)>>> {
    // BEGIN SOLUTION
    // STUB: let probabilities = logits.softmax(-1)?;
    // STUB: let (values, classes) = probabilities.topk(k, -1, true, true)?;
    // STUB: let values = values.flatten_to_vec()?;
    // STUB: let classes = classes.flatten_to_vec()?;
    // STUB: Ok(classes.into_iter().zip(values).collect())
    let probabilities = logits.f_softmax(-1, Kind::Float)?;
    let (values, classes) = probabilities.f_topk(k, -1, true, true)?;
    let values = Vec::<Vec<f32>>::try_from(&values)?;
    let classes = Vec::<Vec<i64>>::try_from(&classes)?;
    let rows = classes.into_iter().zip(values);
    Ok(rows
        .map(|(classes, values)| classes.into_iter().zip(values).collect())
        .collect())
    // END SOLUTION
}

// BEGIN HIDDEN TESTS
let logits = Tensor::from_slice(&[1f32, 3., 2.]).view([1, 3]);
let best = top(&logits, 2)?;
let total: f32 = [1f32, 3., 2.].iter().map(|x| x.exp()).sum();
assert_eq!(best.len(), 1, "one row of logits, one list");
assert_eq!(best[0].len(), 2, "two classes were asked for");
assert_eq!(
    [best[0][0].0, best[0][1].0],
    [1, 2],
    "class 1 is the most probable, then class 2"
);
assert!(
    (best[0][0].1 - 3f32.exp() / total).abs() < 1e-6,
    "the probability of class 1 is exp(3) over the sum of all exp"
);

let two = top(&Tensor::from_slice(&[0f32, 5., 7., 0.]).view([2, 2]), 1)?;
assert_eq!(
    [two[0][0].0, two[1][0].0],
    [1, 0],
    "each row has a best class of its own"
);
assert!(two[0][0].1 > 0.9, "a row's probabilities sum to 1");
assert!(
    top(&logits, 4).is_err(),
    "four of three classes must be an Err"
);
// END HIDDEN TESTS
