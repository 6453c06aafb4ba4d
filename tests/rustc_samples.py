"""Real messages of rustc for the tests: a snippet is checked by the installed compiler, nothing is linked."""

import functools
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from helpers.diagnostics import Diagnostic, parse_all

RUSTC = ("rustc", "--crate-name=cell", "--emit=metadata", "--error-format=json", "--json=diagnostic-rendered-ansi")


@functools.lru_cache
def messages(source: str, file: str = "src/bin/cell.rs", edition: str = "2024") -> tuple[dict, ...]:
    """Rustc's JSON messages for `source`, as cargo would pass them on."""
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file)
        path.parent.mkdir(parents=True)
        path.write_text(source, encoding="utf-8")
        done = subprocess.run(
            [*RUSTC, "--edition", edition, "-o", f"{folder}/cell.rmeta", file],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    return tuple(json.loads(line) for line in done.stderr.splitlines() if line.startswith("{"))


def diagnose(source: str) -> list[Diagnostic]:
    """Parsed messages for `source`, with the cell's label."""
    return parse_all(messages(source), {"src/bin/cell.rs": "cell"})


MOVED = """\
fn mean(pixels: Vec<f32>) -> f32 {
    pixels.iter().sum::<f32>() / pixels.len() as f32
}

fn main() {
    let pixels = vec![0.1_f32, 0.2, 0.3];
    let m = mean(pixels);
    println!("mean {m}, first {}", pixels[0]);
}
"""
TWO_MUT = """\
fn main() {
    let mut w = vec![1.0_f32, 2.0];
    let a = &mut w;
    let b = &mut w;
    a[0] = 3.0;
    b[1] = 4.0;
}
"""
MUT_AND_SHARED = """\
fn main() {
    let mut losses = vec![2.3_f32];
    let last = &losses[0];
    losses.push(1.9);
    println!("{last}");
}
"""
MOVE_BORROWED = """\
fn consume(_v: Vec<f32>) {}

fn main() {
    let w = vec![1.0_f32];
    let r = &w;
    consume(w);
    println!("{r:?}");
}
"""
MOVE_OUT_OF_REF = """\
struct Net { weights: Vec<f32> }
fn take(net: &Net) -> Vec<f32> { net.weights }
fn main() { println!("{:?}", take(&Net { weights: vec![] })); }
"""
TOO_SHORT = """\
fn main() {
    let r;
    {
        let größe = vec![1, 2, 3];
        r = &größe;
    }
    println!("{r:?}");
}
"""
TEMPORARY = """\
fn main() {
    let s: &str = String::from("naïve 日本").as_str();
    println!("{s}");
}
"""
MISMATCH_SCRIPT = """\
fn main() {
    let lr: f32 = "0.001 <script>alert(1)</script> ünïcödé";
    println!("{lr}");
}
"""
QUESTION_MARK = """\
fn main() {
    let n: i32 = "12".parse()?;
    println!("{n}");
}
"""
METHOD_ON_RESULT = """\
fn load() -> Result<Vec<f32>, String> { Ok(vec![]) }
fn main() { println!("{}", load().len()); }
"""
UNCLOSED = """\
fn main() {
    println!("{}", 3);
"""
IN_MACRO = """\
macro_rules! double { ($x:expr) => { $x * 2.0_f32 } }
fn main() {
    let a = double!("x");
    println!("{}", a);
}
"""
WARNS = """\
fn unused() {}
fn main() {
    let x = 3;
    let mut y = 4;
    println!("{y}");
}
"""
CLOSURE = """\
fn main() {
    let f = |x: &str| x.len();
    let g: i32 = f;
}
"""
LONG_TYPE = """\
fn main() {
    let v = || vec![1].into_iter().map(|x| x + 1).filter(|x| *x > 1).map(|x| (x, x));
    let x: i32 = v().zip(v()).zip(v().zip(v())).zip(v().zip(v()).zip(v().zip(v()))).map(|x| (x, x)).skip(1).peekable();
}
"""
MISSING_IMPORT = """\

fn main() {
    let m: HashMap<i32, i32> = HashMap::new();
}
"""
