"""Reading and checking a copy of CIFAR-10 in any of the layouts in which it is found.

| layout | files | checked |
|---|---|---|
| official Python | `data_batch_1` to `_5`, `test_batch` (pickles) | md5, as in torchvision; then shape and labels |
| official binary | `data_batch_1.bin` to `_5.bin`, `test_batch.bin` | size, labels, md5 (source: see `BINARY_MD5`) |
| subset | `train.bin`, `test.bin` | size, labels, sha256 |

Every file of a copy is checked, also those of which no image is needed: a copy is whole or it is refused.
"""

import hashlib
import io
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from helpers.errors import DataError

PIXELS = 3 * 32 * 32
RECORD_BYTES = 1 + PIXELS  # label, then 1024 red, 1024 green and 1024 blue bytes, row by row
BATCH_RECORDS = 10_000
SUBSET_RECORDS = {"train.bin": 4_000, "test.bin": 1_000}

# The authors publish an md5 of the archive only. These sums of the files in it stand in two unrelated projects:
# github.com/prabhuomkar/pytorch-cpp, cmake/fetch_cifar10.cmake; github.com/rai-project/dldataset, vision/cifar10.go.
BINARY_MD5 = {
    "data_batch_1.bin": "5dd7e06a14cb22eb9f671a540d1b7c25",
    "data_batch_2.bin": "5ea93a67294ea407fff1d09f752e9692",
    "data_batch_3.bin": "942cd6a4bcdd0dd3c604fbe906cb4421",
    "data_batch_4.bin": "ae636b3ba5c66a11e91e8cb52e771fcb",
    "data_batch_5.bin": "53f37980c15c3d472c316c40844f3f0d",
    "test_batch.bin": "803d5f7f4d78ea53de84dbe85f74fb6d",
}

# The first 4,000 training and 1,000 test images in official order; from the SOURCE.md beside those files.
SUBSET_SHA256 = {
    "train.bin": "0993cf8b8e43bc207603aef9787006995746513f5e3fa5a52e06d1b069926330",
    "test.bin": "8314c96d7cd65618193bab23acdd5d4c4af15bf6dd00a1781d55beedf3be1ef5",
}

CURE = "Fetch that copy again; data/README.md says where from."

Batch = tuple[np.ndarray, np.ndarray]  # images uint8 [N, 3, 32, 32], labels uint8 [N]


@dataclass(frozen=True)
class Layout:
    """How a copy of CIFAR-10 can be stored.

    Attributes:
        name: What to call it in a message.
        kind: What the images are.
        description: The same for the reader, one line.
        train: Names of the files with training images, in order.
        test: Name of the file with test images.
        subfolder: The folder that unpacking the official archive makes; "" for none.
        read: Reads and checks one file.
    """

    name: str
    kind: Literal["official", "subset"]
    description: str
    train: tuple[str, ...]
    test: str
    subfolder: str
    read: Callable[[Path], Batch]

    @property
    def files(self) -> tuple[str, ...]:
        """The names of all files."""
        return (*self.train, self.test)


@dataclass(frozen=True)
class Copy:
    """A folder in which all files of a layout are present; their content is checked when they are read."""

    folder: Path
    layout: Layout

    def read_train(self, count: int | None) -> Batch:
        """Check all training files and return their first `count` images, all of them for None.

        Raises:
            DataError: A file is damaged; the message names it and says how.
        """
        return _first(count, map(self._read, self.layout.train))

    def read_test(self, count: int | None) -> Batch:
        """Check the test file and return its first `count` images, all of them for None.

        Raises:
            DataError: The file is damaged; the message names it and says how.
        """
        return _first(count, map(self._read, [self.layout.test]))

    def _read(self, name: str) -> Batch:
        return self.layout.read(self.folder / name)


def find_copy(directory: Path) -> Copy | None:
    """Return the copy that a folder holds, directly or in the official archive's own folder; None if it holds none.

    Raises:
        DataError: Some files of a layout are there and others are not; the message names the missing ones.
    """
    started: list[tuple[int, Path, Layout]] = []
    for layout in LAYOUTS:
        for folder in dict.fromkeys((directory, directory / layout.subfolder)):
            present = sum((folder / name).exists() for name in layout.files)
            if present == len(layout.files):
                return Copy(folder, layout)
            if present:
                started.append((present, folder, layout))
    if not started:
        return None
    present, folder, layout = max(started, key=lambda found: found[0])
    missing = [name for name in layout.files if not (folder / name).exists()]
    raise DataError(
        f"{folder} holds {present} of the {len(layout.files)} files of the {layout.name} layout of CIFAR-10; "
        f"missing: {', '.join(missing)}. The archive was not unpacked to its end. {CURE}"
    )


def _first(count: int | None, batches: Iterator[Batch]) -> Batch:
    """Go through all batches, keeping the first `count` images."""
    images: list[np.ndarray] = []
    labels: list[np.ndarray] = []
    kept = 0
    for batch_images, batch_labels in batches:
        take = len(batch_labels) if count is None else max(0, count - kept)
        # A copy, so that the file's bytes are freed before the next file is read.
        images.append(batch_images[:take].copy())
        labels.append(batch_labels[:take].copy())
        kept += len(labels[-1])
    return np.concatenate(images), np.concatenate(labels)


def _read_official_binary(path: Path) -> Batch:
    return _read_binary(path, BATCH_RECORDS, "md5", BINARY_MD5[path.name])


def _read_subset(path: Path) -> Batch:
    return _read_binary(path, SUBSET_RECORDS[path.name], "sha256", SUBSET_SHA256[path.name])


def _read_binary(path: Path, records: int, algorithm: str, checksum: str) -> Batch:
    content = _bytes(path)
    wanted = records * RECORD_BYTES
    if len(content) != wanted:
        whole, rest = divmod(len(content), RECORD_BYTES)
        raise DataError(
            f"{path} has {len(content):,} bytes instead of {wanted:,} ({records:,} records of {RECORD_BYTES:,}): "
            f"it is {'truncated' if len(content) < wanted else 'too long'}, {whole:,} whole records"
            f"{f' and {rest:,} bytes' if rest else ''}. {CURE}"
        )
    table = np.frombuffer(content, np.uint8).reshape(records, RECORD_BYTES)
    _check_labels(path, table[:, 0])
    _check_sum(path, content, algorithm, checksum)
    return table[:, 1:].reshape(records, 3, 32, 32), table[:, 0]


def _read_official_pickle(path: Path) -> Batch:
    from torchvision.datasets import CIFAR10  # its import takes seconds, so only where it is needed

    content = _bytes(path)
    if len(content) < BATCH_RECORDS * PIXELS:
        raise DataError(
            f"{path} is truncated: it has {len(content):,} bytes, fewer than its {BATCH_RECORDS:,} images. {CURE}"
        )
    _check_sum(path, content, "md5", dict(CIFAR10.train_list + CIFAR10.test_list)[path.name])
    try:
        batch = _ArrayUnpickler(io.BytesIO(content), encoding="latin1").load()
        images, labels = batch["data"], np.asarray(batch["labels"])
    except (pickle.UnpicklingError, EOFError, KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise DataError(f"{path} is not a batch of CIFAR-10: {error}. {CURE}") from None
    for what, array, kinds, shape in (
        ("data", images, "u", (BATCH_RECORDS, PIXELS)),
        ("labels", labels, "iu", (BATCH_RECORDS,)),
    ):
        if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype.kind not in kinds:
            raise DataError(f"{path} is not a batch of CIFAR-10: `{what}` is not {shape} whole numbers. {CURE}")
    _check_labels(path, labels)
    return images.reshape(BATCH_RECORDS, 3, 32, 32), labels.astype(np.uint8)


class _ArrayUnpickler(pickle.Unpickler):
    """An unpickler that makes plain values and numpy arrays, and calls nothing else that the file names."""

    _reconstruct = np.zeros(0).__reduce__()[0]
    _allowed: ClassVar[dict[tuple[str, str], Any]] = {
        ("numpy.core.multiarray", "_reconstruct"): _reconstruct,
        ("numpy._core.multiarray", "_reconstruct"): _reconstruct,
        ("numpy", "ndarray"): np.ndarray,
        ("numpy", "dtype"): np.dtype,
    }

    def find_class(self, module: str, name: str) -> Any:
        """Return what the file names, if it is on the list."""
        try:
            return self._allowed[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which image files have no use for") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}. {CURE}") from None


def _check_labels(path: Path, labels: np.ndarray) -> None:
    wrong = np.flatnonzero((labels < 0) | (labels > 9))
    if wrong.size:
        record = int(wrong[0])
        raise DataError(
            f"{path}: record {record:,} has the label {int(labels[record])}, but labels are 0 to 9 "
            f"({wrong.size:,} such records). {CURE}"
        )


def _check_sum(path: Path, content: bytes, algorithm: str, checksum: str) -> None:
    found = hashlib.new(algorithm, content, usedforsecurity=False).hexdigest()
    if found != checksum:
        raise DataError(f"{path} is damaged: its {algorithm} is {found} instead of {checksum}. {CURE}")


_BATCHES = tuple(f"data_batch_{number}" for number in range(1, 6))

LAYOUTS = (
    Layout(
        name="official Python",
        kind="official",
        description="CIFAR-10, the official images (Python files, md5 checked)",
        train=_BATCHES,
        test="test_batch",
        subfolder="cifar-10-batches-py",
        read=_read_official_pickle,
    ),
    Layout(
        name="official binary",
        kind="official",
        description="CIFAR-10, the official images (binary files, md5 checked)",
        train=tuple(f"{name}.bin" for name in _BATCHES),
        test="test_batch.bin",
        subfolder="cifar-10-batches-bin",
        read=_read_official_binary,
    ),
    Layout(
        name="subset",
        kind="subset",
        description="CIFAR-10, the first 4,000 training and 1,000 test images (sha256 checked)",
        train=("train.bin",),
        test="test.bin",
        subfolder="",
        read=_read_subset,
    ),
)
