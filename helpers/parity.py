"""Does every engine compute the same? One forward and one backward pass, compared number by number with PyTorch's.

From the same weights and the same images each engine writes its logits, its loss and the gradient of each parameter.
Logits and loss may differ from PyTorch's by 1e-4, a gradient by one thousandth of that gradient's largest value:
float32 sums in another order stay far below both, a wrong padding or a wrong pooling gradient does not.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from helpers import weights
from helpers.cifar10_files import RECORD_BYTES
from helpers.engines import ENGINES
from helpers.errors import WorkbookError
from helpers.html_theme import escape, style_tag
from helpers.kinks import kink_distances
from helpers.results import REFERENCE
from helpers.training import TrainingError, TrainingRun, execute

LOGIT_TOLERANCE = 1e-4  # absolute
GRADIENT_TOLERANCE = 1e-3  # relative to the gradient's largest absolute value
CANDIDATES = 256  # images of which the parity batches take those farthest from a kink
ORDER_FILE = Path("order.safetensors")
QUANTITIES = ("logits", "loss", *(f"grad.{name}" for name in weights.PARAMETER_SHAPES))


class ParityError(WorkbookError):
    """An engine computes something else than PyTorch; the message names engine, quantity and value."""


@dataclass(frozen=True)
class ParityRow:
    """One quantity of one engine, compared with PyTorch's.

    Attributes:
        quantity: `logits`, `loss`, or `grad.` and a parameter's name.
        difference: Largest absolute difference for logits and loss; for gradients divided by the largest absolute
            value of PyTorch's. Infinite where there is nothing to compare.
        problem: Why nothing could be compared, such as another shape; "" otherwise.
    """

    engine: str
    batch_size: int
    quantity: str
    difference: float
    tolerance: float
    problem: str = ""

    @property
    def ok(self) -> bool:
        """True if the difference is within the tolerance; a difference that is not a number is not."""
        return not self.problem and self.difference <= self.tolerance

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        name = self.quantity.removeprefix("grad.")
        gradient = name != self.quantity
        where = f"{ENGINES[self.engine].title}, batch {self.batch_size}: the {'gradient of ' if gradient else ''}{name}"
        if self.problem:
            return f"{where}: {self.problem}"
        size = f"{self.difference:.1e}{' relative' if gradient else ''}"
        return f"{where} and PyTorch's differ by {size} (at most {self.tolerance:.0e} allowed)"


@dataclass(frozen=True, repr=False)
class ParityReport:
    """All comparisons; a table in a notebook, aligned text elsewhere."""

    rows: tuple[ParityRow, ...]

    @property
    def ok(self) -> bool:
        """True if every quantity of every engine is within its tolerance."""
        return all(row.ok for row in self.rows)

    def assert_ok(self) -> None:
        """Check that all engines compute the same.

        Raises:
            ParityError: Some do not; the message names engine, batch size, quantity and value of each failure.
        """
        failures = [row.sentence for row in self.rows if not row.ok]
        if failures:
            raise ParityError("The engines do not compute the same. " + "; ".join(failures) + ".")

    @property
    def _columns(self) -> list[tuple[str, int]]:
        return list(dict.fromkeys((row.engine, row.batch_size) for row in self.rows))

    def _cell(self, quantity: str, column: tuple[str, int]) -> ParityRow | None:
        matches = (row for row in self.rows if (row.engine, row.batch_size) == column and row.quantity == quantity)
        return next(matches, None)

    @property
    def summary(self) -> str:
        """The verdict in one sentence."""
        engines = ", ".join(ENGINES[name].title for name in dict.fromkeys(row.engine for row in self.rows))
        wrong = sum(not row.ok for row in self.rows)
        verdict = "all within tolerance" if not wrong else f"{wrong} of {len(self.rows)} comparisons OUT of tolerance"
        return f"{engines} against PyTorch: {verdict}."

    def to_text(self) -> str:
        """The table as aligned text; a failure is marked with `!!`."""
        head = [f"{ENGINES[name].title} b{batch}" for name, batch in self._columns]
        lines = ["".join([f"{'quantity':<20}", *(f"{title:>16}" for title in head)])]
        for quantity in QUANTITIES:
            cells = (self._cell(quantity, column) for column in self._columns)
            texts = ("" if row is None else ("" if row.ok else "!! ") + _value(row) for row in cells)
            lines.append("".join([f"{quantity:<20}", *(f"{text:>16}" for text in texts)]))
        problems = [row.sentence for row in self.rows if not row.ok]
        return "\n".join([*lines, self.summary, *problems])

    __str__ = __repr__ = to_text

    def to_html(self) -> str:
        """The table as HTML: a mark and a colour in each cell, so that it reads without colours too."""
        batches: dict[str, list[int]] = {}
        for name, batch in self._columns:
            batches.setdefault(name, []).append(batch)
        top = "".join(
            f'<th scope="colgroup" colspan="{len(sizes)}">{escape(ENGINES[name].title)}</th>'
            for name, sizes in batches.items()
        )
        second = "".join(f'<th scope="col">batch {batch}</th>' for sizes in batches.values() for batch in sizes)
        body = "".join(
            f'<tr><th scope="row">{_pretty(quantity)}</th>'
            + "".join(_html_cell(self._cell(quantity, column)) for column in self._columns)
            + "</tr>"
            for quantity in QUANTITIES
        )
        failures = "".join(f"<li>{escape(row.sentence)}</li>" for row in self.rows if not row.ok)
        return (
            f'{style_tag(_RULES)}<div class="wb"><table class="wb-parity"><caption>Logits and loss: largest absolute '
            f"difference, at most {LOGIT_TOLERANCE:.0e}. Gradients: largest difference over the largest value, "
            f"at most {GRADIENT_TOLERANCE:.0e}. The images keep clear of the kinks of ReLU and max-pooling, "
            "where rounding alone decides on a gradient.</caption>"
            f'<thead><tr><th rowspan="2" scope="col">quantity</th>{top}</tr><tr>{second}</tr></thead>'
            f"<tbody>{body}</tbody></table><p><strong>{escape(self.summary)}</strong></p>"
            + (f"<ul>{failures}</ul>" if failures else "")
            + "</div>"
        )

    _repr_html_ = to_html


_RULES = """
.wb .wb-parity{border-collapse:collapse;margin:0;color:inherit;font-size:13px}
.wb .wb-parity caption{caption-side:bottom;text-align:left;color:var(--wb-dim);padding-top:6px}
.wb .wb-parity td,.wb .wb-parity th{padding:3px 10px;text-align:right;border-bottom:1px solid var(--wb-line)}
.wb .wb-parity th[scope=row]{text-align:left;font-weight:400}.wb .wb-parity th[scope=colgroup]{text-align:center}
.wb .wb-parity td{font-variant-numeric:tabular-nums}.wb .wb-parity .wb-error{font-weight:700}
"""


def _pretty(quantity: str) -> str:
    name = quantity.removeprefix("grad.")
    return quantity if name == quantity else f"gradient of <code>{name}</code>"


def _value(row: ParityRow) -> str:
    return "none" if row.problem else f"{row.difference:.1e}"


def _html_cell(row: ParityRow | None) -> str:
    if row is None:
        return "<td></td>"
    mark, kind = ("✓", "wb-good") if row.ok else ("✗", "wb-error")
    return f'<td class="{kind}" title="{escape(row.sentence)}">{_value(row)} {mark}</td>'


def compare(
    engine: str, batch_size: int, reference: Mapping[str, Tensor], candidate: Mapping[str, Tensor]
) -> list[ParityRow]:
    """Compare an engine's parity tensors with PyTorch's, quantity by quantity."""
    rows = []
    for quantity in QUANTITIES:
        expected, found = reference[quantity], candidate.get(quantity)
        gradient = quantity.startswith("grad.")
        tolerance = GRADIENT_TOLERANCE if gradient else LOGIT_TOLERANCE
        problem, difference = "", math.inf
        if found is None:
            problem = "missing from the engine's file"
        elif found.shape != expected.shape:
            problem = f"shape {list(found.shape)}, not {list(expected.shape)}"
        else:
            difference = _largest(found.double() - expected.double())
            difference /= max(_largest(expected), torch.finfo(torch.float32).tiny) if gradient else 1.0
        rows.append(ParityRow(engine, batch_size, quantity, difference, tolerance, problem))
    return rows


def _largest(tensor: Tensor) -> float:
    """Largest absolute value; NaN if there is one."""
    return float(tensor.abs().max())


def check_parity(run_folder: Path, engines: Sequence[str], batch_sizes: Sequence[int] = (1, 64)) -> ParityReport:
    """Let PyTorch and other engines compute one pass each, and compare.

    The batch is taken from the images that the run's order puts first, and of these the ones that stay farthest from
    the network's kinks, where rounding alone would decide on a gradient: see `helpers.kinks`.

    Args:
        run_folder: A folder made by `create_run`; its images and weights are used. What the engines write goes to
            `parity-BATCH` inside it.
        engines: The engines to compare with PyTorch.

    Raises:
        TrainingError: The folder is no run's, or a batch is larger than its training set.
        EngineError: An engine's program failed.
    """
    whole = TrainingRun.open(run_folder)
    names = [name for name in engines if name != REFERENCE]
    for size in batch_sizes:
        if not 1 <= size <= whole.config.train_size:
            raise TrainingError(f"A parity batch of {size} does not fit {whole.config.train_size} training images.")
    order = _clear_images_first(whole)
    outputs: dict[tuple[str, int], dict[str, Tensor]] = {}
    for size in batch_sizes:
        run = _parity_run(whole, size, order)
        outputs |= {(name, size): _outputs(name, run) for name in (REFERENCE, *names)}
    pairs = [(name, size) for name in names for size in batch_sizes]
    return ParityReport(
        tuple(row for name, size in pairs for row in compare(name, size, outputs[REFERENCE, size], outputs[name, size]))
    )


def _clear_images_first(run: TrainingRun) -> Tensor:
    """Reorder the first images of the run's first epoch: those farthest from a kink come first; [1, train_size]."""
    config = run.config
    order = weights.load(run.folder / config.order)["order"][0]  # [N]
    candidates, rest = order[:CANDIDATES], order[CANDIDATES:]
    records = np.fromfile(run.folder / config.train_bin, np.uint8, config.train_size * RECORD_BYTES)
    pixels = torch.from_numpy(records.reshape(config.train_size, RECORD_BYTES)[candidates.numpy(), 1:])
    mean, std = (torch.tensor(values).view(3, 1, 1) for values in (config.mean, config.std))
    images = (pixels.view(-1, 3, 32, 32).float() / 255 - mean) / std  # [C, 3, 32, 32]
    distances = kink_distances(weights.load_parameters(run.folder / config.init), images)  # [C]
    return torch.cat([candidates[distances.argsort(descending=True)], rest])[None]


def _parity_run(whole: TrainingRun, batch_size: int, order: Tensor) -> TrainingRun:
    """Write the folder of a parity task that uses the whole run's images and weights."""
    folder = whole.folder / f"parity-{batch_size}"
    folder.mkdir(exist_ok=True)
    files = {name: Path("..") / getattr(whole.config, name) for name in ("train_bin", "test_bin", "init")}
    changes = {"task": "parity", "epochs": 1, "batch_size": batch_size, "order": ORDER_FILE, "output": Path(), **files}
    run = TrainingRun(folder, whole.config.model_copy(update=changes), whole.source)
    weights.save(folder / ORDER_FILE, {"order": order})
    run.config.write(run.run_json)
    return run


def _outputs(engine: str, run: TrainingRun) -> dict[str, Tensor]:
    """Run one engine's parity task and read what it wrote in this very run."""
    path = run.output / f"{engine}.parity.safetensors"
    path.unlink(missing_ok=True)
    execute(engine, run)
    return weights.load(path)
