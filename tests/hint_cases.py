"""For every row of the hint table: a message that brings it up.

Rust snippets are given to the installed rustc. Run-time messages, and messages of compilers that need a built
framework, were recorded from programs that ran; paths and backtraces are left out.
"""

from dataclasses import dataclass

import rustc_samples as samples


@dataclass(frozen=True)
class Compiled:
    """A snippet, and the engine in whose cell it would stand."""

    source: str
    engine: str | None = None


@dataclass(frozen=True)
class Recorded:
    """A message, with the code if rustc gave one."""

    text: str
    engine: str | None = None
    code: str | None = None


def body(code: str, head: str = "") -> Compiled:
    return Compiled(f"{head}\nfn main() {{\n    {code}\n}}\n")


RESULT = "fn load() -> Result<Vec<f32>, String> { Ok(vec![]) }"
CAPTURES = """\
struct Path;
struct Store;
impl Store { fn root(&self) -> Path { Path } }
trait Module {}
struct Linear;
impl Module for Linear {}
fn net(_p: &Path) -> impl Module { Linear }
fn use_it(_m: &impl Module) {}
fn main() {
    let store = Store;
    let model = net(&store.root());
    use_it(&model);
}
"""
OPTIMIZER = """\
mod nn {
    pub struct Adam;
    pub trait OptimizerConfig { fn build(self) -> u8; }
    impl OptimizerConfig for Adam { fn build(self) -> u8 { 1 } }
}
fn main() { let _opt = nn::Adam.build(); }
"""
MODULE_TRAIT = """\
mod nn {
    pub struct Linear;
    pub trait Module { fn forward(&self) -> u8; }
    impl Module for Linear { fn forward(&self) -> u8 { 1 } }
}
fn main() { let _y = nn::Linear.forward(); }
"""
BURN_RANK = """\
struct Tensor<const D: usize>;
fn linear(_x: Tensor<2>) {}
fn main() { linear(Tensor::<4>); }
"""
TCH = 'called `Result::unwrap()` on an `Err` value: Torch("{}\\nException raised from ...")'
BURN = "=== Tensor Operation Error ===\n  Operation: '{}'\n  Reason:\n    1. {} \n"

CASES: dict[str, Compiled | Recorded] = {
    "moved-value": Compiled(samples.MOVED),
    "two-mutable-borrows": Compiled(samples.TWO_MUT),
    "shared-and-mutable": Compiled(samples.MUT_AND_SHARED),
    "move-while-borrowed": Compiled(samples.MOVE_BORROWED),
    "move-out-of-reference": Compiled(samples.MOVE_OUT_OF_REF),
    "does-not-live-long-enough": Compiled(samples.TOO_SHORT),
    "impl-trait-captures": Compiled(CAPTURES, "tch"),
    "temporary-dropped": Compiled(samples.TEMPORARY),
    "closure-outlives": body('let n = vec![1]; std::thread::spawn(|| println!("{n:?}"));'),
    "needs-mut": body("let losses = vec![1.0_f32]; losses.push(2.0);"),
    "semicolon-drops-value": body("mean();", "fn mean() -> f32 { 1.0; }"),
    "result-where-value-expected": body("let v: Vec<f32> = load(); drop(v);", RESULT),
    "number-types-differ": body('let n: usize = 3; let x: f32 = n; println!("{x}");'),
    "tensor-rank-differs": Compiled(BURN_RANK, "burn"),
    "dfdx-constant-differs": Recorded(
        "mismatched types\nexpected `4096`, found `8192`\nexpected constant `4096`\n   found constant `8192`",
        "dfdx",
        "E0308",
    ),
    "question-mark-needs-result": Compiled(samples.QUESTION_MARK),
    "question-mark-cannot-convert": body(
        "let _ = f();", 'fn f() -> Result<(), std::num::ParseIntError> { std::fs::read("x")?; Ok(()) }'
    ),
    "mixed-arithmetic": body('let n = 3_usize; println!("{}", 1.0_f32 * n);'),
    "dfdx-shapes-do-not-fit": Recorded(
        "the trait bound `Tensor<(Const<8>, Const<128>), f32, Cpu>: "
        "TryMatMul<Tensor<(Const<64>, Const<10>), f32, Cpu>>` is not satisfied",
        "dfdx",
        "E0277",
    ),
    "result-printed": body('let n = "1".parse::<i32>(); println!("{n}");'),
    "type-unknown": body('let v = "1 2".split(\' \').collect(); println!("{}", v.len());'),
    "method-on-result": Compiled(samples.METHOD_ON_RESULT),
    "tch-optimizer-config": Compiled(OPTIMIZER, "tch"),
    "dfdx-no-tape": Recorded(
        "no method named `backward` found for struct `dfdx::tensor::Tensor` in the current scope\n"
        "method not found in `Tensor<(), f32, Cpu>`",
        "dfdx",
        "E0599",
    ),
    "trait-not-in-scope": Compiled(MODULE_TRAIT),
    "left-out-feature": Compiled(
        "mod a {\n    #[cfg(any())]\n    pub fn b() {}\n}\nuse a::b;\nfn main() {\n    b();\n}\n"
    ),
    "unknown-module": body("", "use crate::model::Net;"),
    "unknown-name": body('println!("{}", train_size);'),
    "unclosed-delimiter": Compiled(samples.UNCLOSED),
    "candle-matmul-shapes": Recorded("Error: shape mismatch in matmul, lhs: [64, 2304], rhs: [4096, 10]", "candle"),
    "candle-broadcast": Recorded("Error: shape mismatch in add, lhs: [2, 3], rhs: [3]", "candle"),
    "candle-dtype-mismatch": Recorded("Error: dtype mismatch in add, lhs: F32, rhs: F64", "candle"),
    "candle-rank": Recorded("Error: the target tensor should have a single dimension ([2, 1])", "candle"),
    "candle-reshape": Recorded(
        "Error: Shape mismatch, got buffer of size 6 which is compatible with shape [4, 2]", "candle"
    ),
    "candle-channels": Recorded("Error: in_channel mismatch between input (1, groups 1) and kernel (3)", "candle"),
    "candle-batch-sizes": Recorded("Error: batch size mismatch between inp (2) and target (1)", "candle"),
    "candle-index": Recorded("Error: gather invalid index 20 with dim size 10", "candle"),
    "candle-contiguous": Recorded("Error: input has to be contiguous", "candle"),
    "candle-missing-weight": Recorded("Error: cannot find tensor conv1.weight", "candle"),
    "candle-cpu-seed": Recorded("Error: cannot seed the CPU rng with set_seed", "candle"),
    "candle-without-cuda": Recorded("Error: the candle crate has not been built with cuda support", "candle"),
    "tch-matmul-shapes": Recorded(TCH.format("mat1 and mat2 shapes cannot be multiplied (2x2304 and 4096x10)"), "tch"),
    "tch-shapes": Recorded(
        TCH.format("The size of tensor a (3) must match the size of tensor b (5) at non-singleton dimension 1"), "tch"
    ),
    "tch-batch-sizes": Recorded(TCH.format("size mismatch (got input: [36, 10], target: [64])"), "tch"),
    "tch-kind": Recorded(TCH.format("expected m1 and m2 to have the same dtype, but got: double != float"), "tch"),
    "tch-target-range": Recorded(TCH.format("Target 20 is out of bounds."), "tch"),
    "tch-no-grad": Recorded(
        TCH.format("element 0 of tensors does not require grad and does not have a grad_fn"), "tch"
    ),
    "tch-in-place-leaf": Recorded(
        TCH.format("a leaf Variable that requires grad is being used in an in-place operation."), "tch"
    ),
    "tch-no-cuda": Recorded(TCH.format("Found no NVIDIA driver on your system."), "tch"),
    "burn-matmul-shapes": Recorded(
        "assert_shape!(input, [.., d_input]): axis 1 expected 4096, got 2304 (dims [64, 2304])", "burn"
    ),
    "burn-reshape": Recorded(
        BURN.format(
            "Reshape",
            "The given shape doesn't have the same number of elements as the current shape. Current shape: [2, 3], "
            "target shape: [4, 2].",
        ),
        "burn",
    ),
    "burn-incompatible-shapes": Recorded(
        BURN.format(
            "Add",
            "The provided tensors have incompatible shapes. Incompatible size at dimension '1' => '3 != 4', which "
            "can't be broadcasted. Lhs tensor shape Shape { dims: [2, 3] }, Rhs tensor shape Shape { dims: [2, 4] }.",
        ),
        "burn",
    ),
    "burn-rank-of-data": Recorded(
        BURN.format(
            "From Data",
            "Given dimensions differ from the tensor rank. Tensor rank: '4', given dimensions: '[2, 3]'.",
        ),
        "burn",
    ),
    "burn-channels": Recorded(
        BURN.format(
            "conv2d",
            "Number of channels in input tensor and input channels of convolution must be equal. got: 1, expected: 3",
        ),
        "burn",
    ),
    "burn-not-tracked": Recorded(
        "Tensor::backward requires a tracked autodiff tensor; call Tensor::autodiff().require_grad() on the source "
        "leaf before computing the output",
        "burn",
    ),
    "file-not-found": Recorded("Error: No such file or directory (os error 2)"),
    "index-out-of-bounds": Recorded("index out of bounds: the len is 3 but the index is 3"),
    "unwrap-on-none": Recorded("called `Option::unwrap()` on a `None` value"),
    "integer-overflow": Recorded("attempt to subtract with overflow"),
    "stack-overflow": Recorded("thread 'main' (4242) has overflowed its stack\nfatal runtime error: stack overflow"),
    "allocation-failed": Recorded("memory allocation of 10000000000 bytes failed"),
}
