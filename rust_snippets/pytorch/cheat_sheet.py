"""The rows of chapter 3's cheat sheet in PyTorch: `cheat_sheet.py FOLDER`. Each row ends where it shows its result."""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional as F


def show(row: str, result: Tensor) -> None:
    """Print a row's result as a line of JSON."""
    values = [float(value) for value in result.detach().flatten().tolist()]
    print(json.dumps({"row": row, "shape": list(result.shape), "values": values}))


def say(row: str, result: object) -> None:
    """Print a row's result that is no tensor."""
    print(json.dumps({"row": row, "text": str(result)}))


def creation(a: Tensor) -> None:
    """Make tensors."""
    # row: zeros
    y = torch.zeros(2, 3)
    show("zeros", y)

    # row: full
    y = torch.full((2, 3), 7.0)
    show("full", y)

    # row: from-vec
    numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    y = torch.tensor(numbers).reshape(2, 3)
    show("from-vec", y)

    # row: arange
    y = torch.arange(6, dtype=torch.float32)
    show("arange", y)

    # row: zeros-like
    y = torch.zeros_like(a)
    show("zeros-like", y)

    # row: randn
    y = torch.randn(2, 3)
    show("randn", y)

    # row: seed
    torch.manual_seed(0)
    first = torch.randn(3)
    torch.manual_seed(0)
    again = torch.randn(3)
    say("seed", "repeats" if torch.equal(first, again) else "differs")


def types(a: Tensor) -> None:
    """Types and devices."""
    # row: dtype
    kind = a.dtype
    say("dtype", kind)

    # row: cast
    y = a.to(torch.int64)
    show("cast", y)

    # row: device
    place = a.device
    say("device", place)

    # row: to-device
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    y = a.to(device)
    show("to-device", y)


def shapes(a: Tensor, b: Tensor, r: Tensor) -> None:
    """Change the shape."""
    # row: shape
    rows, columns = a.shape
    say("shape", f"{rows} x {columns}")

    # row: reshape
    y = b.reshape(2, -1)
    show("reshape", y)

    # row: flatten
    y = b.reshape(3, 2, 2).flatten(1)
    show("flatten", y)

    # row: transpose
    y = a.T
    show("transpose", y)

    # row: permute
    y = b.reshape(3, 2, 2).permute(2, 0, 1)
    show("permute", y)

    # row: unsqueeze
    y = a.unsqueeze(0)
    show("unsqueeze", y)

    # row: squeeze
    y = r.reshape(1, 3).squeeze(0)
    show("squeeze", y)

    # row: expand
    y = r.expand(2, 3)
    show("expand", y)

    # row: cat
    y = torch.cat([a, a], dim=1)
    show("cat", y)

    # row: stack
    y = torch.stack([a, a])
    show("stack", y)

    # row: chunk
    _, right = b.chunk(2, dim=1)
    show("chunk", right)


def indexing(a: Tensor) -> None:
    """Take parts."""
    # row: element
    y = a[1, 2].item()
    say("element", y)

    # row: index-row
    y = a[1]
    show("index-row", y)

    # row: slice
    y = a[:, 1:3]
    show("slice", y)

    # row: index-select
    y = a[:, [2, 0]]
    show("index-select", y)

    # row: gather
    labels = torch.tensor([0, 2])
    y = a.gather(1, labels.unsqueeze(1))
    show("gather", y)

    # row: compare
    y = a > 0
    show("compare", y)

    # row: where
    y = torch.where(a > 0, a, 0.0)
    show("where", y)


def arithmetic(a: Tensor, b: Tensor, r: Tensor) -> None:
    """Compute element by element, and with matrices."""
    # row: add
    y = a + a
    show("add", y)

    # row: broadcast
    y = a + r
    show("broadcast", y)

    # row: scalar
    y = 2 * a + 1
    show("scalar", y)

    # row: in-place
    y = a.clone()
    y += 1
    show("in-place", y)

    # row: matmul
    y = a @ b
    show("matmul", y)

    # row: batched-matmul
    batch = torch.stack([a, a])
    y = batch @ b
    show("batched-matmul", y)

    # row: exp
    y = a.exp()
    show("exp", y)

    # row: clamp
    y = a.clamp(-1, 1)
    show("clamp", y)


def reductions(a: Tensor) -> None:
    """Many numbers to few."""
    # row: sum
    y = a.sum()
    show("sum", y)

    # row: mean
    y = a.mean(dim=1)
    show("mean", y)

    # row: max
    y = a.max(dim=1).values
    show("max", y)

    # row: var
    y = a.var(dim=1)
    show("var", y)

    # row: argmax
    y = a.argmax(dim=1)
    show("argmax", y)

    # row: topk
    y = a.topk(2, dim=1).values
    show("topk", y)


def activations(a: Tensor) -> None:
    """What stands between layers."""
    # row: relu
    y = a.relu()
    show("relu", y)

    # row: gelu
    y = F.gelu(a)
    show("gelu", y)

    # row: softmax
    y = a.softmax(dim=1)
    show("softmax", y)


def gradients(a: Tensor) -> None:
    """Gradients, and none."""
    # row: backward
    x = a.clone().requires_grad_()
    (x * x).sum().backward()
    grad = x.grad
    show("backward", grad)

    # row: accumulate
    x = a.clone().requires_grad_()
    (x * x).sum().backward()
    (x * x).sum().backward()
    grad = x.grad
    show("accumulate", grad)

    # row: no-grad
    x = a.clone().requires_grad_()
    with torch.no_grad():
        y = x * x
    say("no-grad", "tracked" if y.requires_grad else "not tracked")

    # row: detach
    x = a.clone().requires_grad_()
    (x * x.detach()).sum().backward()
    grad = x.grad
    show("detach", grad)

    # row: clone
    y = a.clone()
    y += 1
    show("clone", a)


def layers(a: Tensor, w: Tensor, bias: Tensor, image: Tensor, kernel: Tensor) -> None:
    """Layers and what they hold."""
    # row: parameters
    layer = nn.Linear(3, 2)
    count = sum(parameter.numel() for parameter in layer.parameters())
    say("parameters", count)

    # row: linear
    layer = nn.Linear(3, 2)
    with torch.no_grad():
        layer.weight.copy_(w)
        layer.bias.copy_(bias)
    y = layer(a)
    show("linear", y)

    # row: conv2d
    layer = nn.Conv2d(1, 1, 3, padding=1, bias=False)
    with torch.no_grad():
        layer.weight.copy_(kernel)
    y = layer(image)
    show("conv2d", y)

    # row: max-pool
    y = F.max_pool2d(image, 2)
    show("max-pool", y)

    # row: dropout
    layer = nn.Dropout(0.5).eval()
    y = layer(a)
    show("dropout", y)

    # row: layer-norm
    y = nn.LayerNorm(3)(a)
    show("layer-norm", y)


def training(a: Tensor) -> None:
    """Losses and one step of an optimizer."""
    # row: cross-entropy
    labels = torch.tensor([0, 2])
    loss = F.cross_entropy(a, labels)
    show("cross-entropy", loss)

    # row: mse
    loss = F.mse_loss(a, torch.zeros_like(a))
    show("mse", loss)

    # row: sgd
    p = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
    sgd = torch.optim.SGD([p], lr=0.1)
    loss = (p * p).sum()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    show("sgd", p)

    # row: adam
    p = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
    adam = torch.optim.Adam([p], lr=0.1)
    loss = (p * p).sum()
    adam.zero_grad()
    loss.backward()
    adam.step()
    show("adam", p)


def files(a: Tensor, folder: Path) -> None:
    """Out of the program and back."""
    # row: save
    path = folder / "pytorch.safetensors"
    save_file({"a": a}, path)
    say("save", path.name)

    # row: load
    y = load_file(path)["a"]
    show("load", y)

    # row: to-vec
    numbers = a.flatten().tolist()
    say("to-vec", numbers)

    # row: item
    number = a.sum().item()
    say("item", number)

    # row: print
    text = f"{a}"
    say("print", text)


def main() -> None:
    """Run all rows on the same few inputs."""
    a = torch.tensor([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]])
    b = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    r = torch.tensor([10.0, 20.0, 30.0])
    w = torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]])
    bias = torch.tensor([0.5, -0.5])
    image = torch.arange(16, dtype=torch.float32).reshape(1, 1, 4, 4)
    kernel = torch.arange(9, dtype=torch.float32).reshape(1, 1, 3, 3)
    creation(a)
    types(a)
    shapes(a, b, r)
    indexing(a)
    arithmetic(a, b, r)
    reductions(a)
    activations(a)
    gradients(a)
    layers(a, w, bias, image, kernel)
    training(a)
    files(a, Path(sys.argv[1]))


if __name__ == "__main__":
    main()
