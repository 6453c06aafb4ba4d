"""CIFAR-10 for PyTorch and for the Rust engines: the same bytes for all.

`load` looks in this order:

1. the folder that the environment variable `CIFAR10_DIR` names (or the argument `directory`): it must hold a whole
   copy, else that is an error;
2. `data/cifar-10` in the checkout, into which the official archive is downloaded when it is not there;
3. without a network, generated images. These call themselves synthetic in every output and under every figure.
"""

import hashlib
import html
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from helpers.cifar10_download import DownloadError, fetch_official
from helpers.cifar10_files import RECORD_BYTES, Copy, find_copy
from helpers.errors import DataError, ParameterError
from helpers.paths import CIFAR10_VARIABLE, DATA
from helpers.synthetic_cifar10 import SYNTHETIC_CLASSES, generate

CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")

# Mean and standard deviation of each channel over the 50,000 official training images, with pixels from 0 to 1.
MEAN = (0.4914, 0.4822, 0.4465)
STD = (0.2470, 0.2435, 0.2616)

DEFAULT_FOLDER = DATA / "cifar-10"
SYNTHETIC_SEED = 0
SYNTHETIC_TRAIN, SYNTHETIC_TEST = 4_000, 1_000  # unless other sizes are asked for

_failed_download: str | None = None  # the reason; a process tries once


@dataclass(frozen=True)
class Source:
    """Where images come from.

    Attributes:
        kind: `official` (60,000 images), `subset` (its first 4,000 and 1,000), or `synthetic`.
        description: One line for the reader.
        caption: What stands under every figure: "" for real images, a warning for generated ones.
    """

    kind: Literal["official", "subset", "synthetic"]
    description: str
    caption: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        """The ten names, in the order of the labels; generated images have names of their own."""
        return SYNTHETIC_CLASSES if self.kind == "synthetic" else CLASSES


@dataclass(frozen=True, eq=False, repr=False)
class Split:
    """The training or the test images.

    Attributes:
        images: uint8 [N, 3, 32, 32], red, green, blue.
        labels: int64 [N], 0 to 9.
    """

    images: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        """The number of images."""
        return len(self.labels)

    def __repr__(self) -> str:
        """One line, without the numbers."""
        return f"Split({len(self):,} images uint8 [N, 3, 32, 32], labels int64 [N])"

    def class_counts(self) -> np.ndarray:
        """Return how many images each class has, int64 [10]."""
        return np.bincount(self.labels, minlength=10)

    def records(self) -> Iterator[bytes]:
        """Yield the images in the official binary layout, some megabytes at a time: 3,073 bytes each, label first."""
        for start in range(0, len(self), 1_000):
            images = self.images[start : start + 1_000].reshape(-1, RECORD_BYTES - 1)
            labels = self.labels[start : start + 1_000, None].astype(np.uint8)
            yield np.concatenate([labels, images], axis=1).tobytes()


@dataclass(frozen=True)
class CifarFiles:
    """The two files that `Cifar10.write_binary` leaves, and the sha256 of each."""

    train_bin: Path
    test_bin: Path
    train_sha256: str
    test_sha256: str


@dataclass(frozen=True, eq=False, repr=False)
class Cifar10:
    """Training images, test images, and where they come from."""

    train: Split
    test: Split
    source: Source

    @property
    def classes(self) -> tuple[str, ...]:
        """The ten names, in the order of the labels."""
        return self.source.classes

    def __repr__(self) -> str:
        """One line that says what the images are."""
        return f"Cifar10({len(self.train):,} training and {len(self.test):,} test images; {self.source.description})"

    def _repr_html_(self) -> str:
        tag = "strong" if self.source.caption else "span"
        heads = "".join(f"<th>{html.escape(name)}</th>" for name in self.classes)
        rows = "".join(
            f"<tr><th>{name}</th><td>{len(split):,}</td>"
            + "".join(f"<td>{count:,}</td>" for count in split.class_counts())
            + "</tr>"
            for name, split in (("train", self.train), ("test", self.test))
        )
        return (
            f"<p><{tag}>{html.escape(self.source.description)}</{tag}></p>"
            f"<table><thead><tr><th></th><th>images</th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def write_binary(self, folder: Path) -> CifarFiles:
        """Write train.bin and test.bin in the official binary layout, for the Rust engines.

        Each file appears whole or not at all; one that already holds the same bytes is left alone.

        Raises:
            DataError: The folder cannot be written.
        """
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            train = _write(self.train, folder / "train.bin")
            test = _write(self.test, folder / "test.bin")
        except OSError as error:
            raise DataError(f"{error.filename or folder} cannot be written: {error.strerror or error}.") from None
        return CifarFiles(folder / "train.bin", folder / "test.bin", train, test)


def load(
    train_size: int | None = None,
    test_size: int | None = None,
    *,
    directory: Path | None = None,
    download: bool = True,
) -> Cifar10:
    """Load CIFAR-10, or generated images where it cannot be had; these are announced in one printed sentence.

    Args:
        train_size: The first so many training images. None: all (4,000 of the generated ones).
        test_size: The first so many test images. None: all (1,000 of the generated ones).
        directory: An existing copy, in place of the one that `CIFAR10_DIR` names.
        download: False to leave the network alone.

    Raises:
        DataError: `directory` or `CIFAR10_DIR` does not hold a whole, undamaged copy; the message names the file.
        ParameterError: A size is not a whole number from 1 to what there is.
    """
    for name, size in (("train_size", train_size), ("test_size", test_size)):
        if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
            raise ParameterError(f"{name} is {size!r}, but it must be a whole number of at least 1, or None for all.")
    named = directory or os.environ.get(CIFAR10_VARIABLE)
    if named:
        called = "directory" if directory else CIFAR10_VARIABLE
        return _read(_named_copy(Path(named).expanduser().absolute(), called), train_size, test_size)
    try:
        return _load_default(train_size, test_size, download)
    except DownloadError as error:
        return _generate(train_size, test_size, str(error))


def normalise(images: np.ndarray) -> np.ndarray:
    """Return float32 [N, 3, 32, 32]: (x / 255 - mean) / std for each channel, all in float32, as the engines do it.

    Args:
        images: uint8 [N, 3, 32, 32].
    """
    mean = np.array(MEAN, np.float32).reshape(3, 1, 1)
    std = np.array(STD, np.float32).reshape(3, 1, 1)
    return (images.astype(np.float32) / np.float32(255) - mean) / std


def _named_copy(folder: Path, called: str) -> Copy:
    """Return the copy in a folder that the reader has named.

    Raises:
        DataError: There is none, or part of one.
    """
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise DataError(
            f"{called} names {folder}, which {what}. Name the folder that holds the unpacked files, "
            f"or none, and CIFAR-10 is downloaded."
        )
    copy = find_copy(folder)
    if copy is None:
        archives = sorted(path.name for path in folder.glob("cifar-10-*.tar.gz"))
        hint = f" It holds {archives[0]}: unpack it with `tar -xzf {archives[0]}`." if archives else ""
        raise DataError(
            f"{called} names {folder}, which holds no copy of CIFAR-10: neither data_batch_1.bin to test_batch.bin, "
            f"nor data_batch_1 to test_batch, nor train.bin and test.bin.{hint}"
        )
    return copy


def _load_default(train_size: int | None, test_size: int | None, download: bool) -> Cifar10:
    """Read the copy in `data/cifar-10`, downloading it if it is missing or damaged.

    Raises:
        DownloadError: There is no good copy and none to be had; the reason also names a damaged file.
    """
    global _failed_download
    damage = ""
    try:
        if copy := find_copy(DEFAULT_FOLDER):
            return _read(copy, train_size, test_size)
    except DataError as error:
        damage = f"; the copy in data/cifar-10 is damaged: {error}".removesuffix(".")
    if not download:
        raise DownloadError(f"it is not in data/cifar-10, and downloading is switched off{damage}")
    if _failed_download is None:
        try:
            fetch_official(DEFAULT_FOLDER)
        except DownloadError as error:
            _failed_download = str(error)
    if _failed_download is not None:
        raise DownloadError(f"{_failed_download}{damage}")
    copy = find_copy(DEFAULT_FOLDER)
    assert copy is not None, "the download has just put it there"
    return _read(copy, train_size, test_size)


def _read(copy: Copy, train_size: int | None, test_size: int | None) -> Cifar10:
    source = Source(copy.layout.kind, copy.layout.description)
    train = _split(*copy.read_train(train_size), "train_size", train_size, source)
    test = _split(*copy.read_test(test_size), "test_size", test_size, source)
    return Cifar10(train, test, source)


def _split(images: np.ndarray, labels: np.ndarray, name: str, size: int | None, source: Source) -> Split:
    if size is not None and len(labels) < size:
        raise ParameterError(f"{name} is {size}, but there are only {len(labels)} such images: {source.description}.")
    return Split(images, labels.astype(np.int64))


def _generate(train_size: int | None, test_size: int | None, reason: str) -> Cifar10:
    print(
        f"CIFAR-10 is not available ({reason}), so generated images take its place: synthetic, no photographs, and "
        f"accuracies on them say nothing about CIFAR-10; for the real images go online and restart the kernel, or "
        f"set {CIFAR10_VARIABLE} to an existing copy (data/README.md)."
    )
    source = Source(
        "synthetic",
        f"synthetic images, generated from seed {SYNTHETIC_SEED}, not CIFAR-10",
        "synthetic images, not CIFAR-10",
    )
    train = Split(*generate(train_size or SYNTHETIC_TRAIN, seed=SYNTHETIC_SEED, split=0))
    test = Split(*generate(test_size or SYNTHETIC_TEST, seed=SYNTHETIC_SEED, split=1))
    return Cifar10(train, test, source)


def _write(split: Split, path: Path) -> str:
    """Write one file, unless it is there already, and return its sha256."""
    digest = hashlib.sha256()
    for piece in split.records():
        digest.update(piece)
    wanted = digest.hexdigest()
    if path.exists() and path.stat().st_size == len(split) * RECORD_BYTES:
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == wanted:
                return wanted
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.writelines(split.records())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return wanted
