use tch_cells::model::Cnn;

tch::set_num_threads(1);
let device = if gpu { Device::Cuda(0) } else { Device::Cpu };
let (size, batch) = (size as i64, batch as i64);
let images = |channels, side| Tensor::randn([batch, channels, side, side], (Kind::Float, device));
let vs = nn::VarStore::new(device);
match task {
    "train" => {
        let model = Cnn::new(&vs.root());
        let mut adam = nn::Adam::default().build(&vs, 1e-3)?;
        let (x, y) = (images(3, 32), Tensor::zeros([batch], (Kind::Int64, device)));
        timed(gpu, || {
            let loss = model.forward(&x).cross_entropy_for_logits(&y);
            adam.backward_step(&loss);
            f64::try_from(&loss)?;
            Ok(())
        })?;
    }
    "answer" => {
        let (model, x) = (Cnn::new(&vs.root()), images(3, 32));
        timed(gpu, || {
            Vec::<Vec<f32>>::try_from(no_grad(|| model.forward(&x)))?;
            Ok(())
        })?;
    }
    "block" => {
        let conv = |name: &str, from, to, k| {
            let config = nn::ConvConfig { padding: k / 2, bias: false, ..Default::default() };
            nn::conv2d(vs.root() / name, from, to, k, config)
        };
        let norm = |name: &str, channels| nn::batch_norm2d(vs.root() / name, channels, Default::default());
        let (x, narrow) = (images(size, 56 * 256 / size), size / 4);
        let (conv1, norm1) = (conv("conv1", size, narrow, 1), norm("norm1", narrow));
        let (conv2, norm2) = (conv("conv2", narrow, narrow, 3), norm("norm2", narrow));
        let (conv3, norm3) = (conv("conv3", narrow, size, 1), norm("norm3", size));
        timed(gpu, || {
            let y = no_grad(|| {
                let y = x.apply(&conv1).apply_t(&norm1, false).relu();
                let y = y.apply(&conv2).apply_t(&norm2, false).relu();
                (y.apply(&conv3).apply_t(&norm3, false) + &x).relu()
            });
            f64::try_from(y.get(0).get(0).get(0).get(0))?;
            Ok(())
        })?;
    }
    "matmul" => {
        let a = Tensor::randn([size, size], (Kind::Float, device));
        timed(gpu, || {
            f64::try_from(a.matmul(&a).get(0).get(0))?;
            Ok(())
        })?;
    }
    "mlp" => {
        let first = nn::linear(vs.root() / "first", size, size, Default::default());
        let second = nn::linear(vs.root() / "second", size, 10, Default::default());
        let x = Tensor::randn([batch, size], (Kind::Float, device));
        timed(gpu, || {
            Vec::<Vec<f32>>::try_from(no_grad(|| x.apply(&first).relu().apply(&second)))?;
            Ok(())
        })?;
    }
    "script" => {
        let module = tch::CModule::load_on_device(&args[4], device)?;
        let x = images(3, size);
        timed(gpu, || {
            Vec::<Vec<f32>>::try_from(no_grad(|| module.forward_ts(&[&x]))?)?;
            Ok(())
        })?;
    }
    "layer" => {
        let module = tch::CModule::load_on_device(&args[4], device)?;
        let x = Tensor::randn([batch, size, 768], (Kind::Float, device));
        timed(gpu, || {
            f64::try_from(no_grad(|| module.forward_ts(&[&x]))?.get(0).get(0).get(0))?;
            Ok(())
        })?;
    }
    other => bail!("no task {other}"),
}
