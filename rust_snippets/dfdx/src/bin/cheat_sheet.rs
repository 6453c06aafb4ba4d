//! The rows of chapter 3's cheat sheet in dfdx: `cheat_sheet FOLDER`. Each row ends where it shows its result.

#![feature(generic_const_exprs)] // sizes are computed in types
#![allow(incomplete_features)]

use std::path::{Path, PathBuf};

use dfdx::data::Arange;
use dfdx_cells::prelude::*;

type Matrix = Tensor<Rank2<2, 3>, f32, Cpu>;
type Vector = Tensor<Rank1<3>, f32, Cpu>;

/// Prints a row's result as a line of JSON.
fn show<S: Shape>(row: &str, result: &Tensor<S, f32, Cpu>) {
    let shape: Vec<usize> = result.shape().concrete().into_iter().collect();
    let values = result.as_vec();
    println!("{{\"row\":{row:?},\"shape\":{shape:?},\"values\":{values:?}}}");
}

/// Prints a row's result that is no tensor.
fn say(row: &str, result: impl ToString) {
    println!("{{\"row\":{row:?},\"text\":{:?}}}", result.to_string());
}

fn creation(a: &Matrix, dev: &Cpu) {
    // row: zeros
    let y: Tensor<Rank2<2, 3>, f32, Cpu> = dev.zeros();
    show("zeros", &y);

    // row: full
    let y: Tensor<Rank2<2, 3>, f32, Cpu> = dev.ones() * 7.;
    show("full", &y);

    // row: from-vec
    let numbers = vec![1., 2., 3., 4., 5., 6.];
    let y: Tensor<Rank2<2, 3>, f32, Cpu> = dev.tensor_from_vec(numbers, Default::default());
    show("from-vec", &y);

    // row: arange
    let y: Tensor<Rank1<6>, f32, Cpu> = dev.arange(Const::<6>);
    show("arange", &y);

    // row: zeros-like
    let y = dev.zeros_like(a);
    show("zeros-like", &y);

    // row: randn
    let y: Tensor<Rank2<2, 3>, f32, Cpu> = dev.sample_normal();
    show("randn", &y);

    // row: seed
    let first: Tensor<Rank1<3>, f32, Cpu> = Cpu::seed_from_u64(0).sample_normal();
    let again: Tensor<Rank1<3>, f32, Cpu> = Cpu::seed_from_u64(0).sample_normal();
    let same = first.array() == again.array();
    say("seed", if same { "repeats" } else { "differs" });
}

fn types(a: &Matrix) {
    // row: dtype
    let kind = std::any::type_name_of_val(&a.array()[0][0]);
    say("dtype", kind);

    // row: cast
    let y: Tensor<Rank2<2, 3>, i64, Cpu> = a.clone().to_dtype();
    show("cast", &y.to_dtype());

    // row: device
    let place: &Cpu = a.device();
    say("device", std::any::type_name_of_val(place));

    // row: to-device
    let device = AutoDevice::default();
    let y = a.to_device(&device);
    show("to-device", &y);
}

fn shapes(a: &Matrix, b: &Tensor<Rank2<3, 4>, f32, Cpu>, r: &Vector) {
    // row: shape
    let [rows, columns] = a.shape().concrete();
    say("shape", format!("{rows} x {columns}"));

    // row: reshape
    let y = b.clone().reshape::<Rank2<2, 6>>();
    show("reshape", &y);

    // row: flatten
    let y = b.clone().reshape::<Rank3<3, 2, 2>>();
    let y = y.reshape::<Rank2<3, 4>>();
    show("flatten", &y);

    // row: transpose
    let y = a.clone().permute::<Rank2<3, 2>, _>();
    show("transpose", &y);

    // row: permute
    let y = b.clone().reshape::<Rank3<3, 2, 2>>();
    let y = y.permute::<_, Axes3<2, 0, 1>>();
    show("permute", &y);

    // row: unsqueeze
    let y = a.clone().reshape::<Rank3<1, 2, 3>>();
    show("unsqueeze", &y);

    // row: squeeze
    let y = r.clone().reshape::<Rank2<1, 3>>();
    let y = y.reshape::<Rank1<3>>();
    show("squeeze", &y);

    // row: expand
    let y = r.clone().broadcast::<Rank2<2, 3>, _>();
    show("expand", &y);

    // row: cat
    let y = (a.clone(), a.clone()).concat_along(Axis::<1>);
    show("cat", &y);

    // row: stack
    let y = [a.clone(), a.clone()].stack();
    show("stack", &y);

    // row: chunk
    let right = b.clone().slice((.., 2..4));
    show("chunk", &right);
}

fn indexing(a: &Matrix, dev: &Cpu) {
    // row: element
    let y = a[[1, 2]];
    say("element", y);

    // row: index-row
    let y: Tensor<Rank1<3>, f32, Cpu> = a.clone().select(dev.tensor(1));
    show("index-row", &y);

    // row: slice
    let y = a.clone().slice((.., 1..3));
    show("slice", &y);

    // row: index-select
    let columns = dev.tensor([2usize, 0]).broadcast::<Rank2<2, 2>, Axis<0>>();
    let y: Tensor<Rank2<2, 2>, f32, Cpu> = a.clone().gather(columns);
    show("index-select", &y);

    // row: gather
    let labels = dev.tensor([0usize, 2]).reshape::<Rank2<2, 1>>();
    let y: Tensor<Rank2<2, 1>, f32, Cpu> = a.clone().gather(labels);
    show("gather", &y);

    // row: compare
    let y = a.gt(0.);
    show("compare", &y.to_dtype::<u8>().to_dtype());

    // row: where
    let y = a.gt(0.).choose(a.clone(), dev.zeros());
    show("where", &y);
}

fn arithmetic(a: &Matrix, b: &Tensor<Rank2<3, 4>, f32, Cpu>, r: &Vector) {
    // row: add
    let y = a.clone() + a.clone();
    show("add", &y);

    // row: broadcast
    let y = a.clone() + r.clone().broadcast();
    show("broadcast", &y);

    // row: scalar
    let y = a.clone() * 2. + 1.;
    show("scalar", &y);

    // row: in-place
    let mut y = a.clone();
    y = y + 1.;
    show("in-place", &y);

    // row: matmul
    let y = a.clone().matmul(b.clone());
    show("matmul", &y);

    // row: batched-matmul
    let batch = [a.clone(), a.clone()].stack();
    let y = batch.matmul(b.clone());
    show("batched-matmul", &y);

    // row: exp
    let y = a.clone().exp();
    show("exp", &y);

    // row: clamp
    let y = a.clone().clamp(-1., 1.);
    show("clamp", &y);
}

fn reductions(a: &Matrix, dev: &Cpu) {
    // row: sum
    let y = a.clone().sum::<Rank0, _>();
    show("sum", &y);

    // row: mean
    let y = a.clone().mean::<Rank1<2>, _>();
    show("mean", &y);

    // row: max
    let y = a.clone().max::<Rank1<2>, _>();
    show("max", &y);

    // row: var
    let y = a.clone().var::<Rank1<2>, _>() * (3. / 2.); // n / (n - 1)
    show("var", &y);

    // row: argmax
    let largest =
        |row: [f32; 3]| (1..3).fold(0, |best, i| if row[i] > row[best] { i } else { best });
    let y = dev.tensor(a.array().map(largest)); // by hand
    show("argmax", &y.to_dtype());
}

fn activations(a: &Matrix) {
    // row: relu
    let y = a.clone().relu();
    show("relu", &y);

    // row: gelu
    let y = a.clone().accurate_gelu();
    show("gelu", &y);

    // row: softmax
    let y = a.clone().softmax::<Axis<1>>();
    show("softmax", &y);
}

fn gradients(a: &Matrix) {
    // row: backward
    let x = a.clone();
    let grads = x.leaky_trace().square().sum().backward();
    let grad = grads.get(&x);
    show("backward", &grad);

    // row: accumulate
    let x = a.clone();
    let grads = x.leaky_trace().square().sum().backward();
    let grads = x.trace(grads).square().sum().backward();
    let grad = grads.get(&x);
    show("accumulate", &grad);

    // row: no-grad
    let y = a.clone().square();
    let answer = if tracked(&y) {
        "tracked"
    } else {
        "not tracked"
    };
    say("no-grad", answer);

    // row: detach
    let x = a.clone();
    let constant = x.clone() * 1.; // a tensor with an id of its own
    let grads = (x.leaky_trace() * constant).sum().backward();
    let grad = grads.get(&x);
    show("detach", &grad);

    // row: clone
    let mut y = a.clone();
    y = y + 1.;
    drop(y);
    show("clone", a);
}

fn tracked<S: Shape, T: Tape<f32, Cpu>>(_: &Tensor<S, f32, Cpu, T>) -> bool {
    T::OWNS_TAPE
}

struct Inputs {
    w: Matrix,
    bias: Tensor<Rank1<2>, f32, Cpu>,
    image: Tensor<Rank4<1, 1, 4, 4>, f32, Cpu>,
    kernel: Tensor<Rank4<1, 1, 3, 3>, f32, Cpu>,
}

fn layers(a: &Matrix, inputs: Inputs, dev: &Cpu) {
    let Inputs {
        w,
        bias,
        image,
        kernel,
    } = inputs;

    // row: parameters
    let layer = dev.build_module::<Linear<3, 2>, f32>();
    let count = layer.num_trainable_params();
    say("parameters", count);

    // row: linear
    let mut layer = dev.build_module::<Linear<3, 2>, f32>();
    layer.weight = w;
    layer.bias = bias;
    let y = layer.forward(a.clone());
    show("linear", &y);

    // row: conv2d
    let mut layer = dev.build_module::<Conv2D<1, 1, 3, 1, 1>, f32>(); // stride 1, padding 1
    layer.weight = kernel;
    let y = layer.forward(image.clone());
    show("conv2d", &y);

    // row: max-pool
    let y = MaxPool2D::<2, 2>.forward(image);
    show("max-pool", &y);

    // row: dropout
    let layer = DropoutOneIn::<2>;
    let y = layer.forward(a.clone()); // `a` has no tape
    show("dropout", &y);

    // row: layer-norm
    let y = dev.build_module::<LayerNorm1D<3>, f32>().forward(a.clone());
    show("layer-norm", &y);
}

fn training(a: &Matrix, dev: &Cpu) -> Result<()> {
    // row: cross-entropy
    let labels = dev.one_hot_encode(Const::<3>, [0, 2]);
    let loss = cross_entropy_with_logits_loss(a.clone(), labels);
    show("cross-entropy", &loss);

    // row: mse
    let loss = mse_loss(a.clone(), dev.zeros());
    show("mse", &loss);

    // row: sgd
    let mut p = dev.tensor([1f32, 2., 3.]);
    let mut sgd = Sgd::new(
        &p,
        SgdConfig {
            lr: 0.1,
            ..Default::default()
        },
    );
    let loss = p.trace(p.alloc_grads()).square().sum();
    let grads = loss.backward();
    sgd.update(&mut p, &grads)?;
    show("sgd", &p);

    // row: adam
    let mut p = dev.tensor([1f32, 2., 3.]);
    let mut adam = Adam::new(
        &p,
        AdamConfig {
            lr: 0.1,
            ..Default::default()
        },
    );
    let loss = p.trace(p.alloc_grads()).square().sum();
    let grads = loss.backward();
    adam.update(&mut p, &grads)?;
    show("adam", &p);
    Ok(())
}

fn files(a: &Matrix, folder: &Path, dev: &Cpu) -> Result<()> {
    // row: save
    let path = folder.join("dfdx.safetensors");
    let mut file = Weights::default(); // of this workbook
    file.insert("a", &[2, 3], a.as_vec());
    file.write(&path)?;
    say("save", "dfdx.safetensors");

    // row: load
    let file = Weights::read(&path, &[("a", &[2, 3])])?;
    let mut y: Tensor<Rank2<2, 3>, f32, Cpu> = dev.zeros();
    y.copy_from(file.get("a"));
    show("load", &y);

    // row: to-vec
    let numbers = a.as_vec();
    say("to-vec", format!("{numbers:?}"));

    // row: item
    let number: f32 = a.clone().sum::<Rank0, _>().array();
    say("item", number);

    // row: print
    let text = format!("{:?}", a.array());
    say("print", text);
    Ok(())
}

/// Runs all rows on the same few inputs.
fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).context("no folder given")?);
    let dev = &Cpu::default();
    let a = dev.tensor([[1., -2., 3.], [-4., 5., -6.]]);
    let b = dev.arange(Const::<12>).reshape();
    let r = dev.tensor([10., 20., 30.]);
    let inputs = Inputs {
        w: dev.tensor([[1., 2., 3.], [0., 1., 0.]]),
        bias: dev.tensor([0.5, -0.5]),
        image: dev.arange(Const::<16>).reshape(),
        kernel: dev.arange(Const::<9>).reshape(),
    };
    creation(&a, dev);
    types(&a);
    shapes(&a, &b, &r);
    indexing(&a, dev);
    arithmetic(&a, &b, &r);
    reductions(&a, dev);
    activations(&a);
    gradients(&a);
    layers(&a, inputs, dev);
    training(&a, dev)?;
    files(&a, &folder, dev)
}
