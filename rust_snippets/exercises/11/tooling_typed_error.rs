#[derive(Debug, thiserror::Error)]
enum BatchError {
    // BEGIN SOLUTION
    // STUB: #[error("todo")]
    // STUB: Empty,
    // STUB: #[error("todo")]
    // STUB: Ragged { len: usize, features: usize },
    // STUB: #[error("todo")]
    // STUB: Tensor(candle_core::Error),
    #[error("the batch is empty")]
    Empty,
    #[error("{len} values are no rows of {features}")]
    Ragged { len: usize, features: usize },
    #[error(transparent)]
    Tensor(#[from] candle_core::Error),
    // END SOLUTION
}

fn batch(values: Vec<f32>, features: usize) -> Result<Tensor, BatchError> {
    // BEGIN SOLUTION
    if values.is_empty() {
        return Err(BatchError::Empty);
    }
    if values.len() % features != 0 {
        return Err(BatchError::Ragged {
            len: values.len(),
            features,
        });
    }
    let rows = values.len() / features;
    Ok(Tensor::from_vec(values, (rows, features), &Device::Cpu)?)
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let good = batch(vec![1., 2., 3., 4., 5., 6.], 3)?;
assert_eq!(
    good.to_vec2::<f32>()?,
    [[1., 2., 3.], [4., 5., 6.]],
    "six values in rows of three"
);
let error = batch(vec![], 3).unwrap_err();
assert!(
    matches!(error, BatchError::Empty),
    "an empty list is BatchError::Empty"
);
assert_eq!(
    error.to_string(),
    "the batch is empty",
    "the words of Empty"
);
let error = batch(vec![0.; 7], 3).unwrap_err();
assert!(
    matches!(
        error,
        BatchError::Ragged {
            len: 7,
            features: 3
        }
    ),
    "seven values in rows of three are Ragged"
);
assert_eq!(
    error.to_string(),
    "7 values are no rows of 3",
    "the words of Ragged"
);
let other = candle_core::Error::Msg("from Candle".into());
assert_eq!(
    BatchError::from(other).to_string(),
    "from Candle",
    "Candle's words are kept, and `?` converts its errors"
);
// END HIDDEN TESTS
