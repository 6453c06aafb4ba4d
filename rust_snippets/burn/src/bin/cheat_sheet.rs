//! The rows of chapter 3's cheat sheet in Burn: `cheat_sheet FOLDER`. Each row ends where it shows its result.

#![recursion_limit = "256"] // Burn's types nest deeper than the compiler's default of 128

use std::path::{Path, PathBuf};

use burn::nn::loss::{CrossEntropyLossConfig, MseLoss, Reduction};
use burn::nn::pool::MaxPool2dConfig;
use burn::nn::{DropoutConfig, LayerNormConfig, LinearConfig, PaddingConfig2d, conv::Conv2dConfig};
use burn::optim::{GradientsAccumulator, SgdConfig};
use burn::tensor::{Distribution, IntDType};
use burn_cells::prelude::*;

/// Prints a row's result as a line of JSON.
fn show<const D: usize>(row: &str, result: Tensor<D>) -> Result<()> {
    let shape = result.dims();
    let values: Vec<f64> = result.try_into_vec_as()?;
    println!("{{\"row\":{row:?},\"shape\":{shape:?},\"values\":{values:?}}}");
    Ok(())
}

/// Prints a row's result that is no tensor.
fn say(row: &str, result: impl ToString) {
    println!("{{\"row\":{row:?},\"text\":{:?}}}", result.to_string());
}

fn creation(a: &Tensor<2>, device: &Device) -> Result<()> {
    // row: zeros
    let y = Tensor::<2>::zeros([2, 3], device);
    show("zeros", y)?;

    // row: full
    let y = Tensor::<2>::full([2, 3], 7., device);
    show("full", y)?;

    // row: from-vec
    let numbers = vec![1f32, 2., 3., 4., 5., 6.];
    let y = Tensor::<2>::from_data(TensorData::new(numbers, [2, 3]), device);
    show("from-vec", y)?;

    // row: arange
    let y = Tensor::<1, Int>::arange(0..6, device).float();
    show("arange", y)?;

    // row: zeros-like
    let y = a.zeros_like();
    show("zeros-like", y)?;

    // row: randn
    let y = Tensor::<2>::random([2, 3], Distribution::Normal(0., 1.), device);
    show("randn", y)?;

    // row: seed
    device.seed(0);
    let first = Tensor::<1>::random([3], Distribution::Default, device);
    device.seed(0);
    let again = Tensor::<1>::random([3], Distribution::Default, device);
    let same = first.to_data() == again.to_data();
    say("seed", if same { "repeats" } else { "differs" });
    Ok(())
}

fn types(a: &Tensor<2>) -> Result<()> {
    // row: dtype
    let kind = a.dtype();
    say("dtype", format!("{kind:?}"));

    // row: cast
    let y: Tensor<2, Int> = a.clone().cast(IntDType::I64);
    show("cast", y.float())?;

    // row: device
    let place = a.device();
    say("device", format!("{place:?}"));

    // row: to-device
    let device = Device::default();
    let y = a.clone().to_device(&device);
    show("to-device", y)?;
    Ok(())
}

fn shapes(a: &Tensor<2>, b: &Tensor<2>, r: &Tensor<1>) -> Result<()> {
    // row: shape
    let [rows, columns] = a.dims();
    say("shape", format!("{rows} x {columns}"));

    // row: reshape
    let y = b.clone().reshape([2, -1]);
    show("reshape", y)?;

    // row: flatten
    let y: Tensor<2> = b.clone().reshape([3, 2, 2]).flatten(1, 2);
    show("flatten", y)?;

    // row: transpose
    let y = a.clone().transpose();
    show("transpose", y)?;

    // row: permute
    let y = b.clone().reshape([3, 2, 2]).permute([2, 0, 1]);
    show("permute", y)?;

    // row: unsqueeze
    let y: Tensor<3> = a.clone().unsqueeze_dim(0);
    show("unsqueeze", y)?;

    // row: squeeze
    let y: Tensor<1> = r.clone().reshape([1, 3]).squeeze_dim(0);
    show("squeeze", y)?;

    // row: expand
    let y: Tensor<2> = r.clone().expand([2, 3]);
    show("expand", y)?;

    // row: cat
    let y = Tensor::cat(vec![a.clone(), a.clone()], 1);
    show("cat", y)?;

    // row: stack
    let y: Tensor<3> = Tensor::stack(vec![a.clone(), a.clone()], 0);
    show("stack", y)?;

    // row: chunk
    let halves = b.clone().chunk(2, 1);
    show("chunk", halves[1].clone())?;
    Ok(())
}

fn indexing(a: &Tensor<2>, device: &Device) -> Result<()> {
    // row: element
    let y: f32 = a.clone().slice([1..2, 2..3]).try_into_scalar()?;
    say("element", y);

    // row: index-row
    let y: Tensor<1> = a.clone().select_dim(0, 1);
    show("index-row", y)?;

    // row: slice
    let y = a.clone().slice(s![.., 1..3]);
    show("slice", y)?;

    // row: index-select
    let columns = Tensor::<1, Int>::from_data([2, 0], device);
    let y = a.clone().select(1, columns);
    show("index-select", y)?;

    // row: gather
    let labels = Tensor::<1, Int>::from_data([0, 2], device);
    let y = a.clone().gather(1, labels.unsqueeze_dim(1));
    show("gather", y)?;

    // row: compare
    let y = a.clone().greater_scalar(0.);
    show("compare", y.float())?;

    // row: where
    let mask = a.clone().greater_scalar(0.);
    let y = a.zeros_like().mask_where(mask, a.clone());
    show("where", y)?;
    Ok(())
}

fn arithmetic(a: &Tensor<2>, b: &Tensor<2>, r: &Tensor<1>) -> Result<()> {
    // row: add
    let y = a.clone() + a.clone();
    show("add", y)?;

    // row: broadcast
    let y = a.clone() + r.clone().unsqueeze();
    show("broadcast", y)?;

    // row: scalar
    let y = 2. * a.clone() + 1.;
    show("scalar", y)?;

    // row: in-place
    let mut y = a.clone();
    y = y + 1.;
    show("in-place", y)?;

    // row: matmul
    let y = a.clone().matmul(b.clone());
    show("matmul", y)?;

    // row: batched-matmul
    let batch: Tensor<3> = Tensor::stack(vec![a.clone(), a.clone()], 0);
    let y = batch.matmul(b.clone().unsqueeze());
    show("batched-matmul", y)?;

    // row: exp
    let y = a.clone().exp();
    show("exp", y)?;

    // row: clamp
    let y = a.clone().clamp(-1., 1.);
    show("clamp", y)?;
    Ok(())
}

fn reductions(a: &Tensor<2>) -> Result<()> {
    // row: sum
    let y: Tensor<1> = a.clone().sum();
    show("sum", y)?;

    // row: mean
    let y: Tensor<1> = a.clone().mean_dim(1).squeeze_dim(1);
    show("mean", y)?;

    // row: max
    let y: Tensor<1> = a.clone().max_dim(1).squeeze_dim(1);
    show("max", y)?;

    // row: var
    let y: Tensor<1> = a.clone().var(1).squeeze_dim(1);
    show("var", y)?;

    // row: argmax
    let y: Tensor<1, Int> = a.clone().argmax(1).squeeze_dim(1);
    show("argmax", y.float())?;

    // row: topk
    let y = a.clone().topk(2, 1);
    show("topk", y)?;
    Ok(())
}

fn activations(a: &Tensor<2>) -> Result<()> {
    // row: relu
    let y = activation::relu(a.clone());
    show("relu", y)?;

    // row: gelu
    let y = activation::gelu(a.clone());
    show("gelu", y)?;

    // row: softmax
    let y = activation::softmax(a.clone(), 1);
    show("softmax", y)?;
    Ok(())
}

fn gradients(a: &Tensor<2>) -> Result<()> {
    // row: backward
    let x = a.clone().autodiff().require_grad();
    let grads = (x.clone() * x.clone()).sum().backward();
    let grad = x.grad(&grads).context("no gradient")?;
    show("backward", grad)?;

    // row: accumulate
    let x = Param::from_tensor(a.clone().autodiff());
    let mut sum = GradientsAccumulator::new();
    for _ in 0..2 {
        let grads = (x.val() * x.val()).sum().backward();
        sum.accumulate(&x, GradientsParams::from_grads(grads, &x));
    }
    let grad = sum.grads().remove::<2>(x.id).context("no gradient")?;
    show("accumulate", grad)?;

    // row: no-grad
    let x = a.clone().autodiff().require_grad();
    let constant = x.inner();
    let y = constant.clone() * constant;
    let answer = if y.is_tracked() {
        "tracked"
    } else {
        "not tracked"
    };
    say("no-grad", answer);

    // row: detach
    let x = a.clone().autodiff().require_grad();
    let grads = (x.clone() * x.clone().inner()).sum().backward();
    let grad = x.grad(&grads).context("no gradient")?;
    show("detach", grad)?;

    // row: clone
    let mut y = a.clone();
    y = y + 1.;
    drop(y);
    show("clone", a.clone())?;
    Ok(())
}

struct Inputs {
    w: Tensor<2>,
    bias: Tensor<1>,
    image: Tensor<4>,
    kernel: Tensor<4>,
}

fn layers(a: &Tensor<2>, inputs: Inputs, device: &Device) -> Result<()> {
    let Inputs {
        w,
        bias,
        image,
        kernel,
    } = inputs;

    // row: parameters
    let layer = LinearConfig::new(3, 2).init(device);
    let count = layer.num_params();
    say("parameters", count);

    // row: linear
    let mut layer = LinearConfig::new(3, 2).init(device);
    layer.weight = Param::from_tensor(w.transpose()); // [in, out]
    layer.bias = Some(Param::from_tensor(bias));
    let y = layer.forward(a.clone());
    show("linear", y)?;

    // row: conv2d
    let config = Conv2dConfig::new([1, 1], [3, 3]).with_bias(false);
    let mut layer = config.with_padding(PaddingConfig2d::Same).init(device);
    layer.weight = Param::from_tensor(kernel);
    let y = layer.forward(image.clone());
    show("conv2d", y)?;

    // row: max-pool
    let pool = MaxPool2dConfig::new([2, 2]).init();
    let y = pool.forward(image);
    show("max-pool", y)?;

    // row: dropout
    let layer = DropoutConfig::new(0.5).init();
    let y = layer.forward(a.clone()); // `a` has no autodiff
    show("dropout", y)?;

    // row: layer-norm
    let y = LayerNormConfig::new(3).init(device).forward(a.clone());
    show("layer-norm", y)?;
    Ok(())
}

fn training(a: &Tensor<2>, device: &Device) -> Result<()> {
    // row: cross-entropy
    let labels = Tensor::<1, Int>::from_data([0, 2], device);
    let cross_entropy = CrossEntropyLossConfig::new().init(device);
    let loss = cross_entropy.forward(a.clone(), labels);
    show("cross-entropy", loss)?;

    // row: mse
    let loss = MseLoss::new().forward(a.clone(), a.zeros_like(), Reduction::Mean);
    show("mse", loss)?;

    // row: sgd
    let device = device.clone().autodiff();
    let p = Param::<Tensor<1>>::from_data([1., 2., 3.], &device);
    let mut sgd = SgdConfig::new().init();
    let loss = (p.val() * p.val()).sum();
    let grads = GradientsParams::from_grads(loss.backward(), &p);
    let p = sgd.step(0.1, p, grads);
    show("sgd", p.val())?;

    // row: adam
    let p = Param::<Tensor<1>>::from_data([1., 2., 3.], &device);
    let mut adam = AdamConfig::new().with_epsilon(1e-8).init();
    let loss = (p.val() * p.val()).sum();
    let grads = GradientsParams::from_grads(loss.backward(), &p);
    let p = adam.step(0.1, p, grads);
    show("adam", p.val())?;
    Ok(())
}

fn files(a: &Tensor<2>, folder: &Path, device: &Device) -> Result<()> {
    // row: save
    let path = folder.join("burn.safetensors");
    let mut file = Weights::default(); // of this workbook
    file.insert("a", &a.dims(), a.try_to_vec_as()?);
    file.write(&path)?;
    say("save", "burn.safetensors");

    // row: load
    let file = Weights::read(&path, &[("a", &[2, 3])])?;
    let data = TensorData::new(file.get("a").to_vec(), [2, 3]);
    let y = Tensor::<2>::from_data(data, device);
    show("load", y)?;

    // row: to-vec
    let numbers: Vec<f32> = a.try_to_vec_as()?;
    say("to-vec", format!("{numbers:?}"));

    // row: item
    let number: f32 = a.clone().sum().try_into_scalar()?;
    say("item", number);

    // row: print
    let text = format!("{a}");
    say("print", text);
    Ok(())
}

/// Runs all rows on the same few inputs.
fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).context("no folder given")?);
    let device = &Device::flex();
    let a = Tensor::<2>::from_data([[1., -2., 3.], [-4., 5., -6.]], device);
    let b = Tensor::<1, Int>::arange(0..12, device)
        .float()
        .reshape([3, 4]);
    let r = Tensor::<1>::from_data([10., 20., 30.], device);
    let inputs = Inputs {
        w: Tensor::from_data([[1., 2., 3.], [0., 1., 0.]], device),
        bias: Tensor::from_data([0.5, -0.5], device),
        image: Tensor::<1, Int>::arange(0..16, device)
            .float()
            .reshape([1, 1, 4, 4]),
        kernel: Tensor::<1, Int>::arange(0..9, device)
            .float()
            .reshape([1, 1, 3, 3]),
    };
    creation(&a, device)?;
    types(&a)?;
    shapes(&a, &b, &r)?;
    indexing(&a, device)?;
    arithmetic(&a, &b, &r)?;
    reductions(&a)?;
    activations(&a)?;
    gradients(&a)?;
    layers(&a, inputs, device)?;
    training(&a, device)?;
    files(&a, &folder, device)
}
