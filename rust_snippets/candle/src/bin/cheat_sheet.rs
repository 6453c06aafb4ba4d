//! The rows of chapter 3's cheat sheet in Candle: `cheat_sheet FOLDER`. Each row ends where it shows its result.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use candle_cells::prelude::*;

/// Prints a row's result as a line of JSON.
fn show(row: &str, result: &Tensor) -> Result<()> {
    let values = result
        .to_dtype(DType::F64)?
        .flatten_all()?
        .to_vec1::<f64>()?;
    let shape = result.dims();
    println!("{{\"row\":{row:?},\"shape\":{shape:?},\"values\":{values:?}}}");
    Ok(())
}

/// Prints a row's result that is no tensor.
fn say(row: &str, result: impl ToString) {
    println!("{{\"row\":{row:?},\"text\":{:?}}}", result.to_string());
}

fn creation(a: &Tensor, device: &Device) -> Result<()> {
    // row: zeros
    let y = Tensor::zeros((2, 3), DType::F32, device)?;
    show("zeros", &y)?;

    // row: full
    let y = Tensor::full(7f32, (2, 3), device)?;
    show("full", &y)?;

    // row: from-vec
    let numbers = vec![1f32, 2., 3., 4., 5., 6.];
    let y = Tensor::from_vec(numbers, (2, 3), device)?;
    show("from-vec", &y)?;

    // row: arange
    let y = Tensor::arange(0f32, 6., device)?;
    show("arange", &y)?;

    // row: zeros-like
    let y = a.zeros_like()?;
    show("zeros-like", &y)?;

    // row: randn
    let y = Tensor::randn(0f32, 1., (2, 3), device)?;
    show("randn", &y)?;

    // row: seed
    let answer = match Device::Cpu.set_seed(0) {
        Ok(()) => "repeats".to_string(),
        Err(error) => format!("refused: {error}"),
    };
    say("seed", answer);
    Ok(())
}

fn types(a: &Tensor) -> Result<()> {
    // row: dtype
    let kind = a.dtype();
    say("dtype", format!("{kind:?}"));

    // row: cast
    let y = a.to_dtype(DType::I64)?;
    show("cast", &y)?;

    // row: device
    let place = a.device();
    say("device", format!("{place:?}"));

    // row: to-device
    let device = Device::cuda_if_available(0)?;
    let y = a.to_device(&device)?;
    show("to-device", &y)?;
    Ok(())
}

fn shapes(a: &Tensor, b: &Tensor, r: &Tensor) -> Result<()> {
    // row: shape
    let (rows, columns) = a.dims2()?;
    say("shape", format!("{rows} x {columns}"));

    // row: reshape
    let y = b.reshape((2, ()))?;
    show("reshape", &y)?;

    // row: flatten
    let y = b.reshape((3, 2, 2))?.flatten_from(1)?;
    show("flatten", &y)?;

    // row: transpose
    let y = a.t()?;
    show("transpose", &y)?;

    // row: permute
    let y = b.reshape((3, 2, 2))?.permute((2, 0, 1))?;
    show("permute", &y)?;

    // row: unsqueeze
    let y = a.unsqueeze(0)?;
    show("unsqueeze", &y)?;

    // row: squeeze
    let y = r.reshape((1, 3))?.squeeze(0)?;
    show("squeeze", &y)?;

    // row: expand
    let y = r.broadcast_as((2, 3))?;
    show("expand", &y)?;

    // row: cat
    let y = Tensor::cat(&[a, a], 1)?;
    show("cat", &y)?;

    // row: stack
    let y = Tensor::stack(&[a, a], 0)?;
    show("stack", &y)?;

    // row: chunk
    let halves = b.chunk(2, 1)?;
    show("chunk", &halves[1])?;
    Ok(())
}

fn indexing(a: &Tensor, device: &Device) -> Result<()> {
    // row: element
    let y: f32 = a.i((1, 2))?.to_scalar()?;
    say("element", y);

    // row: index-row
    let y = a.i(1)?;
    show("index-row", &y)?;

    // row: slice
    let y = a.i((.., 1..3))?;
    show("slice", &y)?;

    // row: index-select
    let columns = Tensor::new(&[2u32, 0], device)?;
    let y = a.index_select(&columns, 1)?;
    show("index-select", &y)?;

    // row: gather
    let labels = Tensor::new(&[0u32, 2], device)?;
    let y = a.gather(&labels.unsqueeze(1)?, 1)?;
    show("gather", &y)?;

    // row: compare
    let y = a.gt(0f32)?;
    show("compare", &y)?;

    // row: where
    let y = a.gt(0f32)?.where_cond(a, &a.zeros_like()?)?;
    show("where", &y)?;
    Ok(())
}

fn arithmetic(a: &Tensor, b: &Tensor, r: &Tensor) -> Result<()> {
    // row: add
    let y = (a + a)?;
    show("add", &y)?;

    // row: broadcast
    let y = a.broadcast_add(r)?;
    show("broadcast", &y)?;

    // row: scalar
    let y = ((2. * a)? + 1.)?;
    show("scalar", &y)?;

    // row: in-place
    let mut y = a.clone();
    y = (y + 1.)?;
    show("in-place", &y)?;

    // row: matmul
    let y = a.matmul(b)?;
    show("matmul", &y)?;

    // row: batched-matmul
    let batch = Tensor::stack(&[a, a], 0)?;
    let y = batch.broadcast_matmul(b)?;
    show("batched-matmul", &y)?;

    // row: exp
    let y = a.exp()?;
    show("exp", &y)?;

    // row: clamp
    let y = a.clamp(-1f32, 1f32)?;
    show("clamp", &y)?;
    Ok(())
}

fn reductions(a: &Tensor) -> Result<()> {
    // row: sum
    let y = a.sum_all()?;
    show("sum", &y)?;

    // row: mean
    let y = a.mean(1)?;
    show("mean", &y)?;

    // row: max
    let y = a.max(1)?;
    show("max", &y)?;

    // row: var
    let y = a.var(1)?;
    show("var", &y)?;

    // row: argmax
    let y = a.argmax(1)?;
    show("argmax", &y)?;

    // row: topk
    let (sorted, _indices) = a.sort_last_dim(false)?;
    let y = sorted.narrow(1, 0, 2)?;
    show("topk", &y)?;
    Ok(())
}

fn activations(a: &Tensor) -> Result<()> {
    // row: relu
    let y = a.relu()?;
    show("relu", &y)?;

    // row: gelu
    let y = a.gelu_erf()?;
    show("gelu", &y)?;

    // row: softmax
    let y = nn::ops::softmax(a, 1)?;
    show("softmax", &y)?;
    Ok(())
}

fn gradients(a: &Tensor) -> Result<()> {
    // row: backward
    let x = Var::from_tensor(a)?;
    let grads = x.mul(&x)?.sum_all()?.backward()?;
    let grad = grads.get(&x).context("no gradient")?;
    show("backward", grad)?;

    // row: accumulate
    let x = Var::from_tensor(a)?;
    let mut grads = x.mul(&x)?.sum_all()?.backward()?;
    grads.extend(x.mul(&x)?.sum_all()?.backward()?)?;
    let grad = grads.get(&x).context("no gradient")?;
    show("accumulate", grad)?;

    // row: no-grad
    let x = Var::from_tensor(a)?;
    let constant = x.as_detached_tensor();
    let y = constant.mul(&constant)?;
    say(
        "no-grad",
        if y.track_op() {
            "tracked"
        } else {
            "not tracked"
        },
    );

    // row: detach
    let x = Var::from_tensor(a)?;
    let grads = x.mul(&x.detach())?.sum_all()?.backward()?;
    let grad = grads.get(&x).context("no gradient")?;
    show("detach", grad)?;

    // row: clone
    let mut y = a.clone();
    y = (y + 1.)?;
    drop(y);
    show("clone", a)?;
    Ok(())
}

fn layers(
    a: &Tensor,
    w: &Tensor,
    bias: &Tensor,
    image: &Tensor,
    kernel: &Tensor,
    device: &Device,
) -> Result<()> {
    // row: parameters
    let vars = VarMap::new();
    let vb = VarBuilder::from_varmap(&vars, DType::F32, device);
    let _layer = nn::linear(3, 2, vb.pp("fc"))?;
    let count: usize = vars.all_vars().iter().map(|v| v.elem_count()).sum();
    say("parameters", count);

    // row: linear
    let layer = nn::Linear::new(w.clone(), Some(bias.clone()));
    let y = layer.forward(a)?;
    show("linear", &y)?;

    // row: conv2d
    let config = nn::Conv2dConfig {
        padding: 1,
        ..Default::default()
    };
    let layer = nn::Conv2d::new(kernel.clone(), None, config);
    let y = layer.forward(image)?;
    show("conv2d", &y)?;

    // row: max-pool
    let y = image.max_pool2d(2)?;
    show("max-pool", &y)?;

    // row: dropout
    let layer = nn::Dropout::new(0.5);
    let y = layer.forward(a, false)?;
    show("dropout", &y)?;

    // row: layer-norm
    let (ones, zeros) = (
        Tensor::ones(3, DType::F32, device)?,
        Tensor::zeros(3, DType::F32, device)?,
    );
    let y = nn::LayerNorm::new(ones, zeros, 1e-5).forward(a)?;
    show("layer-norm", &y)?;
    Ok(())
}

fn training(a: &Tensor, device: &Device) -> Result<()> {
    // row: cross-entropy
    let labels = Tensor::new(&[0u32, 2], device)?;
    let loss = nn::loss::cross_entropy(a, &labels)?;
    show("cross-entropy", &loss)?;

    // row: mse
    let loss = nn::loss::mse(a, &a.zeros_like()?)?;
    show("mse", &loss)?;

    // row: sgd
    let p = Var::new(&[1f32, 2., 3.], device)?;
    let mut sgd = nn::SGD::new(vec![p.clone()], 0.1)?;
    let loss = p.sqr()?.sum_all()?;
    sgd.backward_step(&loss)?;
    show("sgd", &p)?;

    // row: adam
    let p = Var::new(&[1f32, 2., 3.], device)?;
    let config = nn::ParamsAdamW {
        lr: 0.1,
        weight_decay: 0.,
        ..Default::default()
    };
    let mut adam = nn::AdamW::new(vec![p.clone()], config)?;
    let loss = p.sqr()?.sum_all()?;
    adam.backward_step(&loss)?;
    show("adam", &p)?;
    Ok(())
}

fn files(a: &Tensor, folder: &Path, device: &Device) -> Result<()> {
    // row: save
    let path = folder.join("candle.safetensors");
    let tensors = HashMap::from([("a", a.clone())]);
    candle_core::safetensors::save(&tensors, &path)?;
    say("save", "candle.safetensors");

    // row: load
    let tensors = candle_core::safetensors::load(&path, device)?;
    let y = &tensors["a"];
    show("load", y)?;

    // row: to-vec
    let numbers = a.flatten_all()?.to_vec1::<f32>()?;
    say("to-vec", format!("{numbers:?}"));

    // row: item
    let number: f32 = a.sum_all()?.to_scalar()?;
    say("item", number);

    // row: print
    let text = format!("{a}");
    say("print", text);
    Ok(())
}

/// Runs all rows on the same few inputs.
fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).context("no folder given")?);
    let device = &Device::Cpu;
    let a = Tensor::new(&[[1f32, -2., 3.], [-4., 5., -6.]], device)?;
    let b = Tensor::arange(0f32, 12., device)?.reshape((3, 4))?;
    let r = Tensor::new(&[10f32, 20., 30.], device)?;
    let w = Tensor::new(&[[1f32, 2., 3.], [0., 1., 0.]], device)?;
    let bias = Tensor::new(&[0.5f32, -0.5], device)?;
    let image = Tensor::arange(0f32, 16., device)?.reshape((1, 1, 4, 4))?;
    let kernel = Tensor::arange(0f32, 9., device)?.reshape((1, 1, 3, 3))?;
    creation(&a, device)?;
    types(&a)?;
    shapes(&a, &b, &r)?;
    indexing(&a, device)?;
    arithmetic(&a, &b, &r)?;
    reductions(&a)?;
    activations(&a)?;
    gradients(&a)?;
    layers(&a, &w, &bias, &image, &kernel, device)?;
    training(&a, device)?;
    files(&a, &folder, device)
}
