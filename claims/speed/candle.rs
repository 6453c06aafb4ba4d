use candle_cells::model::Cnn;

let device = if gpu { Device::new_cuda(0)? } else { Device::Cpu };
let images = |channels, side| Tensor::randn(0f32, 1., (batch, channels, side, side), &device);
let vars = VarMap::new();
let dtype = if gpu && task == "decode" { DType::F16 } else { DType::F32 };
let vb = VarBuilder::from_varmap(&vars, dtype, &device);
match task {
    "train" => {
        let model = Cnn::new(vb)?;
        let adam = nn::ParamsAdamW { lr: 1e-3, weight_decay: 0., ..Default::default() };
        let mut adam = nn::AdamW::new(vars.all_vars(), adam)?;
        let (x, y) = (images(3, 32)?, Tensor::zeros(batch, DType::I64, &device)?);
        timed(gpu, || {
            let loss = nn::loss::cross_entropy(&model.forward(&x)?, &y)?;
            adam.backward_step(&loss)?;
            loss.to_scalar::<f32>()?;
            Ok(())
        })?;
    }
    "answer" => {
        let (model, x) = (Cnn::new(vb)?, images(3, 32)?);
        timed(gpu, || {
            model.forward(&x)?.to_vec2::<f32>()?;
            Ok(())
        })?;
    }
    "block" => {
        let conv = |name: &str, from, to, k: usize| {
            let config = nn::Conv2dConfig { padding: k / 2, ..Default::default() };
            nn::conv2d_no_bias(from, to, k, config, vb.pp(name))
        };
        let norm = |name: &str, channels| nn::batch_norm(channels, 1e-5, vb.pp(name));
        let (x, narrow) = (images(size, 56 * 256 / size)?, size / 4);
        let (conv1, norm1) = (conv("conv1", size, narrow, 1)?, norm("norm1", narrow)?);
        let (conv2, norm2) = (conv("conv2", narrow, narrow, 3)?, norm("norm2", narrow)?);
        let (conv3, norm3) = (conv("conv3", narrow, size, 1)?, norm("norm3", size)?);
        timed(gpu, || {
            let y = x.apply(&conv1)?.apply_t(&norm1, false)?.relu()?;
            let y = y.apply(&conv2)?.apply_t(&norm2, false)?.relu()?;
            let y = (y.apply(&conv3)?.apply_t(&norm3, false)? + &x)?.relu()?;
            y.i((0, 0, 0, 0))?.to_scalar::<f32>()?;
            Ok(())
        })?;
    }
    "matmul" => {
        let a = Tensor::randn(0f32, 1., (size, size), &device)?;
        timed(gpu, || {
            a.matmul(&a)?.i((0, 0))?.to_scalar::<f32>()?;
            Ok(())
        })?;
    }
    "mlp" => {
        let (first, second) = (nn::linear(size, size, vb.pp("first"))?, nn::linear(size, 10, vb.pp("second"))?);
        let x = Tensor::randn(0f32, 1., (batch, size), &device)?;
        timed(gpu, || {
            x.apply(&first)?.relu()?.apply(&second)?.to_vec2::<f32>()?;
            Ok(())
        })?;
    }
    "decode" => {
        // A model of the LLaMA kind without its rotation: SIZE wide, BATCH layers; it writes 16 tokens.
        let (hidden, heads, words) = (size * 8 / 3, size / 48, 32000);
        let linear = |from, to, vb: VarBuilder| nn::linear_no_bias(from, to, vb);
        let layer = |vb: VarBuilder| -> candle_core::Result<_> {
            let square = |name: &str| linear(size, size, vb.pp(name));
            let attention = (square("q")?, square("k")?, square("v")?, square("o")?);
            let gate = linear(size, hidden, vb.pp("gate"))?;
            let (up, down) = (linear(size, hidden, vb.pp("up"))?, linear(hidden, size, vb.pp("down"))?);
            let norms = (nn::rms_norm(size, 1e-5, vb.pp("a"))?, nn::rms_norm(size, 1e-5, vb.pp("b"))?);
            Ok((attention, (gate, up, down), norms))
        };
        let layers: Vec<_> = (0..batch).map(|i| layer(vb.pp(i))).collect::<candle_core::Result<_>>()?;
        let (table, head) = (nn::embedding(words, size, vb.pp("table"))?, linear(size, words, vb.pp("head"))?);
        let last = nn::rms_norm(size, 1e-5, vb.pp("last"))?;
        timed(gpu, || {
            let mut token = Tensor::new(&[1u32], &device)?;
            let mut cache: Vec<Option<(Tensor, Tensor)>> = vec![None; layers.len()];
            for _ in 0..16 {
                let mut x = table.forward(&token)?;
                for (((q, k, v, o), (gate, up, down), (norm1, norm2)), kept) in layers.iter().zip(&mut cache) {
                    let h = x.apply(norm1)?;
                    let split = |y: Tensor| y.reshape((heads, 1, size / heads));
                    let (query, mut key, mut value) = (split(h.apply(q)?)?, split(h.apply(k)?)?, split(h.apply(v)?)?);
                    if let Some((keys, values)) = kept.take() {
                        key = Tensor::cat(&[keys, key], 1)?;
                        value = Tensor::cat(&[values, value], 1)?;
                    }
                    let scores = (query.matmul(&key.t()?)? * (48f64).powf(-0.5))?;
                    let mixed = nn::ops::softmax_last_dim(&scores)?.matmul(&value)?.reshape((1, size))?;
                    *kept = Some((key, value));
                    x = (x + mixed.apply(o)?)?;
                    let h = x.apply(norm2)?;
                    x = (x + (h.apply(gate)?.silu()? * h.apply(up)?)?.apply(down)?)?;
                }
                token = x.apply(&last)?.apply(&head)?.argmax(1)?;
            }
            token.to_vec1::<u32>()?;
            Ok(())
        })?;
    }
    other => bail!("no task {other}"),
}
