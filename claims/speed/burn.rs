use burn::nn::conv::Conv2dConfig;
use burn::nn::loss::CrossEntropyLossConfig;
use burn::nn::transformer::{TransformerEncoderConfig, TransformerEncoderInput};
use burn::nn::{BatchNormConfig, PaddingConfig2d};
use burn::tensor::Distribution;
use burn_cells::model::CnnConfig;

let device = Device::flex();
#[cfg(feature = "cuda")]
let device = if gpu { Device::cuda(0) } else { device };
let normal = Distribution::Normal(0., 1.);
let images = |channels, side| Tensor::<4>::random([batch, channels, side, side], normal, &device);
match task {
    "train" => {
        let tracked = device.clone().autodiff();
        let mut model = Some(CnnConfig::new().init(&tracked));
        let mut adam = AdamConfig::new().with_epsilon(1e-8).init();
        let cross_entropy = CrossEntropyLossConfig::new().init(&tracked);
        let x = Tensor::<4>::random([batch, 3, 32, 32], normal, &tracked);
        let y = Tensor::<1, Int>::zeros([batch], &tracked);
        timed(gpu, || {
            let current = model.take().context("no model")?;
            let loss = cross_entropy.forward(current.forward(x.clone()), y.clone());
            let grads = GradientsParams::from_grads(loss.backward(), &current);
            model = Some(adam.step(1e-3, current, grads));
            loss.try_into_scalar::<f64>()?;
            Ok(())
        })?;
    }
    "answer" => {
        let (model, x) = (CnnConfig::new().init(&device), images(3, 32));
        timed(gpu, || {
            model.forward(x.clone()).try_into_vec_as::<f32>()?;
            Ok(())
        })?;
    }
    "block" => {
        let conv = |from: usize, to: usize, k: usize| {
            let pad = PaddingConfig2d::Explicit(k / 2, k / 2, k / 2, k / 2);
            Conv2dConfig::new([from, to], [k, k]).with_padding(pad).with_bias(false).init(&device)
        };
        let norm = |channels| BatchNormConfig::new(channels).init(&device);
        let (x, narrow) = (images(size, 56 * 256 / size), size / 4);
        let (conv1, norm1) = (conv(size, narrow, 1), norm(narrow));
        let (conv2, norm2) = (conv(narrow, narrow, 3), norm(narrow));
        let (conv3, norm3) = (conv(narrow, size, 1), norm(size));
        timed(gpu, || {
            let y = activation::relu(norm1.forward(conv1.forward(x.clone())));
            let y = activation::relu(norm2.forward(conv2.forward(y)));
            let y = activation::relu(norm3.forward(conv3.forward(y)) + x.clone());
            y.slice([0..1, 0..1, 0..1, 0..1]).try_into_vec_as::<f32>()?;
            Ok(())
        })?;
    }
    "matmul" => {
        let a = Tensor::<2>::random([size, size], normal, &device);
        timed(gpu, || {
            a.clone().matmul(a.clone()).slice([0..1, 0..1]).try_into_vec_as::<f32>()?;
            Ok(())
        })?;
    }
    "layer" => {
        let model = TransformerEncoderConfig::new(768, 3072, 12, 1).with_dropout(0.).init(&device);
        let x = Tensor::<3>::random([batch, size, 768], normal, &device);
        timed(gpu, || {
            let y = model.forward(TransformerEncoderInput::new(x.clone()));
            y.slice([0..1, 0..1, 0..1]).try_into_vec_as::<f32>()?;
            Ok(())
        })?;
    }
    other => bail!("no task {other}"),
}
