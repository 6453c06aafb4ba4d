fn learning_rate(text: &str) -> Result<f64> {
    // BEGIN SOLUTION
    let number = text.trim().parse::<f64>();
    let rate = number.with_context(|| format!("the learning rate {text:?} is no number"))?;
    ensure!(
        rate > 0.0 && rate.is_finite(),
        "the learning rate {text:?} is not above 0 and finite"
    );
    Ok(rate)
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
assert_eq!(
    learning_rate("0.001").ok(),
    Some(0.001),
    "0.001 is a learning rate"
);
assert_eq!(
    learning_rate(" 1e-2 ").ok(),
    Some(0.01),
    "blanks around a number do no harm"
);
for text in ["fast", "", "0", "-1", "inf", "NaN"] {
    let Err(error) = learning_rate(text) else {
        panic!("{text:?} is no learning rate: an `Err` must come");
    };
    let sentence = error.to_string();
    assert!(
        sentence.contains(text),
        "the error must hold the text {text:?}, and says {sentence:?}"
    );
}
assert_ne!(
    learning_rate("fast")
        .unwrap_err()
        .to_string()
        .replace("fast", "-1"),
    learning_rate("-1").unwrap_err().to_string(),
    "what is no number needs another sentence than a number that cannot be used"
);
// END HIDDEN TESTS
