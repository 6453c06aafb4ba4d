//! The rows of chapter 3's cheat sheet in tch: `cheat_sheet FOLDER`. Each row ends where it shows its result.

use std::path::{Path, PathBuf};

use tch::{IndexOp, Reduction};
use tch_cells::prelude::*;

const CPU: (Kind, Device) = (Kind::Float, Device::Cpu);

/// Prints a row's result as a line of JSON.
fn show(row: &str, result: &Tensor) -> Result<()> {
    let values = Vec::<f64>::try_from(result.to_kind(Kind::Double).flatten(0, -1))?;
    let shape = result.size();
    println!("{{\"row\":{row:?},\"shape\":{shape:?},\"values\":{values:?}}}");
    Ok(())
}

/// Prints a row's result that is no tensor.
fn say(row: &str, result: impl ToString) {
    println!("{{\"row\":{row:?},\"text\":{:?}}}", result.to_string());
}

fn creation(a: &Tensor) -> Result<()> {
    // row: zeros
    let y = Tensor::zeros([2, 3], (Kind::Float, Device::Cpu));
    show("zeros", &y)?;

    // row: full
    let y = Tensor::full([2, 3], 7., (Kind::Float, Device::Cpu));
    show("full", &y)?;

    // row: from-vec
    let numbers = vec![1f32, 2., 3., 4., 5., 6.];
    let y = Tensor::from_slice(&numbers).view([2, 3]);
    show("from-vec", &y)?;

    // row: arange
    let y = Tensor::arange(6, (Kind::Float, Device::Cpu));
    show("arange", &y)?;

    // row: zeros-like
    let y = a.zeros_like();
    show("zeros-like", &y)?;

    // row: randn
    let y = Tensor::randn([2, 3], (Kind::Float, Device::Cpu));
    show("randn", &y)?;

    // row: seed
    tch::manual_seed(0);
    let first = Tensor::randn([3], CPU);
    tch::manual_seed(0);
    let again = Tensor::randn([3], CPU);
    say("seed", if first == again { "repeats" } else { "differs" });
    Ok(())
}

fn types(a: &Tensor) -> Result<()> {
    // row: dtype
    let kind = a.kind();
    say("dtype", format!("{kind:?}"));

    // row: cast
    let y = a.to_kind(Kind::Int64);
    show("cast", &y)?;

    // row: device
    let place = a.device();
    say("device", format!("{place:?}"));

    // row: to-device
    let device = Device::cuda_if_available();
    let y = a.to_device(device);
    show("to-device", &y)?;
    Ok(())
}

fn shapes(a: &Tensor, b: &Tensor, r: &Tensor) -> Result<()> {
    // row: shape
    let (rows, columns) = a.size2()?;
    say("shape", format!("{rows} x {columns}"));

    // row: reshape
    let y = b.reshape([2, -1]);
    show("reshape", &y)?;

    // row: flatten
    let y = b.reshape([3, 2, 2]).flatten(1, -1);
    show("flatten", &y)?;

    // row: transpose
    let y = a.tr();
    show("transpose", &y)?;

    // row: permute
    let y = b.reshape([3, 2, 2]).permute([2, 0, 1]);
    show("permute", &y)?;

    // row: unsqueeze
    let y = a.unsqueeze(0);
    show("unsqueeze", &y)?;

    // row: squeeze
    let y = r.reshape([1, 3]).squeeze_dim(0);
    show("squeeze", &y)?;

    // row: expand
    let y = r.expand([2, 3], false);
    show("expand", &y)?;

    // row: cat
    let y = Tensor::cat(&[a, a], 1);
    show("cat", &y)?;

    // row: stack
    let y = Tensor::stack(&[a, a], 0);
    show("stack", &y)?;

    // row: chunk
    let halves = b.chunk(2, 1);
    show("chunk", &halves[1])?;
    Ok(())
}

fn indexing(a: &Tensor) -> Result<()> {
    // row: element
    let y = a.double_value(&[1, 2]);
    say("element", y);

    // row: index-row
    let y = a.i(1);
    show("index-row", &y)?;

    // row: slice
    let y = a.i((.., 1..3));
    show("slice", &y)?;

    // row: index-select
    let columns = Tensor::from_slice(&[2i64, 0]);
    let y = a.index_select(1, &columns);
    show("index-select", &y)?;

    // row: gather
    let labels = Tensor::from_slice(&[0i64, 2]);
    let y = a.gather(1, &labels.unsqueeze(1), false);
    show("gather", &y)?;

    // row: compare
    let y = a.gt(0.);
    show("compare", &y)?;

    // row: where
    let y = a.where_self(&a.gt(0.), &a.zeros_like());
    show("where", &y)?;
    Ok(())
}

fn arithmetic(a: &Tensor, b: &Tensor, r: &Tensor) -> Result<()> {
    // row: add
    let y = a + a;
    show("add", &y)?;

    // row: broadcast
    let y = a + r;
    show("broadcast", &y)?;

    // row: scalar
    let y = 2. * a + 1.;
    show("scalar", &y)?;

    // row: in-place
    let mut y = a.copy();
    y += 1.;
    show("in-place", &y)?;

    // row: matmul
    let y = a.matmul(b);
    show("matmul", &y)?;

    // row: batched-matmul
    let batch = Tensor::stack(&[a, a], 0);
    let y = batch.matmul(b);
    show("batched-matmul", &y)?;

    // row: exp
    let y = a.exp();
    show("exp", &y)?;

    // row: clamp
    let y = a.clamp(-1., 1.);
    show("clamp", &y)?;
    Ok(())
}

fn reductions(a: &Tensor) -> Result<()> {
    // row: sum
    let y = a.sum(Kind::Float);
    show("sum", &y)?;

    // row: mean
    let y = a.mean_dim(1, false, Kind::Float);
    show("mean", &y)?;

    // row: max
    let (y, _indices) = a.max_dim(1, false);
    show("max", &y)?;

    // row: var
    let y = a.var_dim(1, true, false);
    show("var", &y)?;

    // row: argmax
    let y = a.argmax(1, false);
    show("argmax", &y)?;

    // row: topk
    let (y, _indices) = a.topk(2, 1, true, true);
    show("topk", &y)?;
    Ok(())
}

fn activations(a: &Tensor) -> Result<()> {
    // row: relu
    let y = a.relu();
    show("relu", &y)?;

    // row: gelu
    let y = a.gelu("none");
    show("gelu", &y)?;

    // row: softmax
    let y = a.softmax(1, Kind::Float);
    show("softmax", &y)?;
    Ok(())
}

fn gradients(a: &Tensor) -> Result<()> {
    // row: backward
    let x = a.copy().set_requires_grad(true);
    (&x * &x).sum(Kind::Float).backward();
    let grad = x.grad();
    show("backward", &grad)?;

    // row: accumulate
    let x = a.copy().set_requires_grad(true);
    (&x * &x).sum(Kind::Float).backward();
    (&x * &x).sum(Kind::Float).backward();
    let grad = x.grad();
    show("accumulate", &grad)?;

    // row: no-grad
    let x = a.copy().set_requires_grad(true);
    let y = no_grad(|| &x * &x);
    let answer = if y.requires_grad() {
        "tracked"
    } else {
        "not tracked"
    };
    say("no-grad", answer);

    // row: detach
    let x = a.copy().set_requires_grad(true);
    (&x * x.detach()).sum(Kind::Float).backward();
    let grad = x.grad();
    show("detach", &grad)?;

    // row: clone
    let mut y = a.copy();
    y += 1.;
    show("clone", a)?;
    Ok(())
}

fn layers(a: &Tensor, w: &Tensor, bias: &Tensor, image: &Tensor, kernel: &Tensor) -> Result<()> {
    // row: parameters
    let vs = nn::VarStore::new(Device::Cpu);
    let _layer = nn::linear(vs.root() / "fc", 3, 2, Default::default());
    let count: usize = vs.trainable_variables().iter().map(Tensor::numel).sum();
    say("parameters", count);

    // row: linear
    let vs = nn::VarStore::new(Device::Cpu);
    let mut layer = nn::linear(vs.root() / "fc", 3, 2, Default::default());
    no_grad(|| {
        layer.ws.copy_(w);
        layer.bs.as_mut().unwrap().copy_(bias);
    });
    let y = a.apply(&layer);
    show("linear", &y)?;

    // row: conv2d
    let vs = nn::VarStore::new(Device::Cpu);
    let config = nn::ConvConfig {
        padding: 1,
        bias: false,
        ..Default::default()
    };
    let mut layer = nn::conv2d(vs.root() / "conv", 1, 1, 3, config);
    no_grad(|| layer.ws.copy_(kernel));
    let y = image.apply(&layer);
    show("conv2d", &y)?;

    // row: max-pool
    let y = image.max_pool2d_default(2);
    show("max-pool", &y)?;

    // row: dropout
    let train = false;
    let y = a.dropout(0.5, train);
    show("dropout", &y)?;

    // row: layer-norm
    let vs = nn::VarStore::new(Device::Cpu);
    let y = a.apply(&nn::layer_norm(vs.root(), vec![3], Default::default()));
    show("layer-norm", &y)?;
    Ok(())
}

fn training(a: &Tensor) -> Result<()> {
    // row: cross-entropy
    let labels = Tensor::from_slice(&[0i64, 2]);
    let loss = a.cross_entropy_for_logits(&labels);
    show("cross-entropy", &loss)?;

    // row: mse
    let loss = a.mse_loss(&a.zeros_like(), Reduction::Mean);
    show("mse", &loss)?;

    // row: sgd
    let vs = nn::VarStore::new(Device::Cpu);
    let p = vs
        .root()
        .var_copy("p", &Tensor::from_slice(&[1f32, 2., 3.]));
    let mut sgd = nn::Sgd::default().build(&vs, 0.1)?;
    let loss = (&p * &p).sum(Kind::Float);
    sgd.backward_step(&loss);
    show("sgd", &p)?;

    // row: adam
    let vs = nn::VarStore::new(Device::Cpu);
    let p = vs
        .root()
        .var_copy("p", &Tensor::from_slice(&[1f32, 2., 3.]));
    let mut adam = nn::Adam::default().build(&vs, 0.1)?;
    let loss = (&p * &p).sum(Kind::Float);
    adam.backward_step(&loss);
    show("adam", &p)?;
    Ok(())
}

fn files(a: &Tensor, folder: &Path) -> Result<()> {
    // row: save
    let path = folder.join("tch.safetensors");
    Tensor::write_safetensors(&[("a", a)], &path)?;
    say("save", "tch.safetensors");

    // row: load
    let tensors = Tensor::read_safetensors(&path)?;
    let (_name, y) = &tensors[0];
    show("load", y)?;

    // row: to-vec
    let numbers = Vec::<f32>::try_from(a.flatten(0, -1))?;
    say("to-vec", format!("{numbers:?}"));

    // row: item
    let number = a.sum(Kind::Float).double_value(&[]);
    say("item", number);

    // row: print
    let text = format!("{a}");
    say("print", text);
    Ok(())
}

/// Runs all rows on the same few inputs.
fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).context("no folder given")?);
    let a = Tensor::from_slice(&[1f32, -2., 3., -4., 5., -6.]).view([2, 3]);
    let b = Tensor::arange(12, CPU).view([3, 4]);
    let r = Tensor::from_slice(&[10f32, 20., 30.]);
    let w = Tensor::from_slice(&[1f32, 2., 3., 0., 1., 0.]).view([2, 3]);
    let bias = Tensor::from_slice(&[0.5f32, -0.5]);
    let image = Tensor::arange(16, CPU).view([1, 1, 4, 4]);
    let kernel = Tensor::arange(9, CPU).view([1, 1, 3, 3]);
    creation(&a)?;
    types(&a)?;
    shapes(&a, &b, &r)?;
    indexing(&a)?;
    arithmetic(&a, &b, &r)?;
    reductions(&a)?;
    activations(&a)?;
    gradients(&a)?;
    layers(&a, &w, &bias, &image, &kernel)?;
    training(&a)?;
    files(&a, &folder)
}
