use candle_core::quantized::{GgmlDType, QMatMul, QTensor};

enum Layer {
    Quantised {
        weight: QMatMul,
        bias: Option<Tensor>,
        bytes: usize,
    },
    Exact(nn::Linear),
}

fn quantise(layer: nn::Linear) -> Result<Layer> {
    // BEGIN SOLUTION
    if layer.weight().dim(1)? % GgmlDType::Q8_0.block_size() != 0 {
        return Ok(Layer::Exact(layer));
    }
    let weight = QTensor::quantize(layer.weight(), GgmlDType::Q8_0)?;
    let bytes = weight.storage_size_in_bytes();
    Ok(Layer::Quantised {
        weight: QMatMul::from_qtensor(weight)?,
        bias: layer.bias().cloned(),
        bytes,
    })
    // END SOLUTION
}

impl Module for Layer {
    fn forward(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        // BEGIN SOLUTION
        match self {
            Layer::Exact(layer) => layer.forward(x),
            Layer::Quantised {
                weight, bias: None, ..
            } => weight.forward(x),
            Layer::Quantised {
                weight,
                bias: Some(bias),
                ..
            } => weight.forward(x)?.broadcast_add(bias),
        }
        // END SOLUTION
    }
}

// BEGIN HIDDEN TESTS
for (width, with_bias) in [(64, true), (64, false), (10, true)] {
    let numbers: Vec<f32> = (0..8 * width)
        .map(|i| ((i * 37 % 101) as f32 / 50. - 1.) * 0.2)
        .collect();
    let weight = Tensor::from_vec(numbers, (8, width), &Device::Cpu)?;
    let bias = with_bias
        .then(|| Tensor::full(100f32, 8, &Device::Cpu))
        .transpose()?;
    let exact = nn::Linear::new(weight, bias);
    let x = Tensor::arange(0f32, 3. * width as f32, &Device::Cpu)?
        .reshape((3, width))?
        .sin()?;
    let wanted = exact.forward(&x)?;
    let layer = quantise(exact)?;
    let found = layer.forward(&x)?;
    assert_eq!(
        found.dims(),
        [3, 8],
        "the result must have the shape [batch, outputs]"
    );
    let largest = |tensor: Tensor| -> Result<f32> { Ok(tensor.abs()?.max_all()?.to_scalar()?) };
    let difference = largest((&found - &wanted)?)?;
    match layer {
        Layer::Exact(_) => {
            assert_eq!(
                width, 10,
                "a width of {width} is a multiple of 32 and must be quantised"
            );
            assert_eq!(difference, 0., "the exact layer must give exact results");
        }
        Layer::Quantised { bytes, .. } => {
            assert_eq!(width, 64, "a width of {width} cannot be quantised");
            assert_eq!(bytes, 8 * 2 * 34, "Q8_0 keeps 32 weights in 34 bytes");
            let scale = largest(if with_bias { (&wanted - 100.)? } else { wanted })?;
            assert!(
                difference < 0.02 * scale,
                "with bias: {with_bias}: the difference is {difference}; is the bias lost?"
            );
        }
    }
}
// END HIDDEN TESTS
