"""Copies of CIFAR-10 in every layout, whole and damaged, and what `load` makes of them."""

import hashlib
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from cifar10_samples import NAMES, RECORDS, SmallCifar, expect_small, md5, pickled, small_cifar
from torchvision.datasets import CIFAR10

from helpers import cifar10, cifar10_files
from helpers.cifar10 import CLASSES, MEAN, STD, Cifar10, Source, Split, load, normalise
from helpers.errors import DataError, ParameterError
from helpers.paths import REPO
from helpers.synthetic_cifar10 import SYNTHETIC_CLASSES, generate

SUBSET = Path(os.environ.get("CIFAR10_DIR") or REPO.parent / "shared" / "data" / "cifar10-subset")
needs_subset = pytest.mark.skipif(
    not (SUBSET / "train.bin").exists(), reason="the 5,000 real images are not here (set CIFAR10_DIR)"
)


@pytest.fixture(autouse=True)
def _nothing_here(monkeypatch, tmp_path):
    monkeypatch.delenv("CIFAR10_DIR", raising=False)
    monkeypatch.setattr(cifar10, "DEFAULT_FOLDER", tmp_path / "default")
    monkeypatch.setattr(cifar10, "_failed_download", None)


@pytest.fixture(scope="module")
def made() -> SmallCifar:
    return small_cifar()


@pytest.fixture
def small(made, monkeypatch) -> SmallCifar:
    expect_small(made, monkeypatch)
    return made


@pytest.mark.parametrize(
    ("layout", "subfolder"),
    [("binary", ""), ("binary", "cifar-10-batches-bin"), ("python", ""), ("python", "cifar-10-batches-py")],
)
def test_official_layouts_give_the_same_images(small, layout, subfolder, tmp_path, monkeypatch, capsys):
    small.write(layout, tmp_path / "copy" / subfolder)
    monkeypatch.setenv("CIFAR10_DIR", str(tmp_path / "copy"))
    data = load()
    assert data.source.kind == "official"
    assert data.source.caption == ""
    assert data.classes == CLASSES
    assert data.train.images.dtype == np.uint8
    assert data.train.labels.dtype == np.int64
    assert np.array_equal(data.train.images, small.train_images)
    assert np.array_equal(data.train.labels, np.concatenate([small.batches[name].labels for name in NAMES[:5]]))
    assert np.array_equal(data.test.images, small.batches["test_batch"].images)
    assert capsys.readouterr().out == ""


def test_a_part_of_the_images_can_end_inside_a_batch(small, tmp_path):
    folder = small.write("binary", tmp_path / "copy")
    data = load(RECORDS + 3, 7, directory=folder)
    assert (len(data.train), len(data.test)) == (RECORDS + 3, 7)
    assert np.array_equal(data.train.images, small.train_images[: RECORDS + 3])


def test_the_argument_comes_before_the_variable(small, tmp_path, monkeypatch):
    monkeypatch.setenv("CIFAR10_DIR", str(tmp_path / "nowhere"))
    assert load(directory=small.write("binary", tmp_path / "copy")).source.kind == "official"


def refused(folder: Path, *parts: str) -> str:
    """Check that `load` refuses a folder with a message that has all parts; return the message."""
    with pytest.raises(DataError) as caught:
        load(10, 10, directory=folder)
    for part in parts:
        assert part in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("batch", ["data_batch_1", "data_batch_4", "test_batch"])
def test_truncated_files_are_named(small, batch, tmp_path):
    folder = small.write("binary", tmp_path / "binary")
    path = folder / f"{batch}.bin"
    path.write_bytes(path.read_bytes()[:-1000])
    refused(folder, str(path), "truncated", "61,460", "60,460")
    folder = small.write("python", tmp_path / "python")
    path = folder / batch
    path.write_bytes(path.read_bytes()[:-5000])
    refused(folder, str(path), "truncated")
    path.write_bytes(b"")
    refused(folder, str(path), "truncated", "0 bytes")


def test_a_python_file_that_lacks_only_its_tail_is_named(small, tmp_path):
    path = small.write("python", tmp_path / "copy") / "data_batch_2"
    path.write_bytes(path.read_bytes()[:-10])
    refused(path.parent, str(path), "md5")


def test_a_file_that_is_too_long_is_named(small, tmp_path):
    path = small.write("binary", tmp_path / "copy") / "data_batch_2.bin"
    path.write_bytes(path.read_bytes() * 2)
    refused(path.parent, str(path), "too long", "40 whole records")


@pytest.mark.parametrize("layout", ["binary", "python"])
@pytest.mark.parametrize("batch", ["data_batch_1", "data_batch_5", "test_batch"])
def test_one_flipped_bit_is_named(small, layout, batch, tmp_path):
    folder = small.write(layout, tmp_path / "copy")
    path = folder / (f"{batch}.bin" if layout == "binary" else batch)
    content = bytearray(path.read_bytes())
    content[RECORDS * 1500] ^= 1
    path.write_bytes(content)
    refused(folder, str(path), "damaged", "md5", md5(content))


def test_a_label_above_9_is_named_with_its_record(small, tmp_path):
    path = small.write("binary", tmp_path / "copy") / "data_batch_3.bin"
    content = bytearray(path.read_bytes())
    content[12 * 3073] = 77
    path.write_bytes(content)
    refused(path.parent, str(path), "record 12", "label 77")


def test_a_wrong_label_from_0_to_9_is_noticed(small, tmp_path):
    path = small.write("binary", tmp_path / "copy") / "data_batch_3.bin"
    content = bytearray(path.read_bytes())
    content[12 * 3073] = (content[12 * 3073] + 1) % 10
    path.write_bytes(content)
    refused(path.parent, str(path), "damaged", "md5")


@pytest.mark.parametrize("layout", ["binary", "python"])
def test_a_half_unpacked_copy_names_what_is_missing(small, layout, tmp_path):
    folder = small.write(layout, tmp_path / "copy")
    ending = ".bin" if layout == "binary" else ""
    (folder / f"data_batch_4{ending}").unlink()
    (folder / f"test_batch{ending}").unlink()
    refused(folder, "4 of the 6 files", f"missing: data_batch_4{ending}, test_batch{ending}")


def test_a_whole_copy_beside_a_half_one_is_used(small, tmp_path):
    small.write("python", tmp_path / "copy" / "cifar-10-batches-py")
    (tmp_path / "copy" / "cifar-10-batches-py" / "data_batch_1").unlink()
    small.write("binary", tmp_path / "copy" / "cifar-10-batches-bin")
    assert np.array_equal(load(directory=tmp_path / "copy").train.images, small.train_images)


def test_folders_without_a_copy_are_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("CIFAR10_DIR", str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match=r"CIFAR10_DIR names .*nowhere, which does not exist"):
        load()
    (tmp_path / "file").write_bytes(b"")
    refused(tmp_path / "file", "is not a folder")
    refused(tmp_path, "holds no copy of CIFAR-10")
    (tmp_path / "cifar-10-binary.tar.gz").write_bytes(b"")
    refused(tmp_path, "unpack it with `tar -xzf cifar-10-binary.tar.gz`")


def test_a_folder_in_the_place_of_a_file_is_named(small, tmp_path):
    path = small.write("binary", tmp_path / "copy") / "data_batch_2.bin"
    path.unlink()
    path.mkdir()
    refused(path.parent, str(path), "cannot be read")


def accept_python_file(name: str, content: bytes, monkeypatch) -> None:
    """Make `content` the file with the right md5."""
    sums = [[entry, md5(content) if entry == name else digest] for entry, digest in CIFAR10.train_list]
    monkeypatch.setattr(CIFAR10, "train_list", sums)


class Harmful:
    """Makes a folder when it is unpickled without care."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


def test_a_pickle_cannot_run_code(small, tmp_path, monkeypatch):
    path = small.write("python", tmp_path / "copy") / "data_batch_1"
    filler = np.zeros((RECORDS, 3072), np.uint8)
    content = pickle.dumps({"data": filler, "labels": Harmful(tmp_path / "harm")})
    pickle.loads(content)
    assert (tmp_path / "harm").exists()
    (tmp_path / "harm").rmdir()
    path.write_bytes(content)
    accept_python_file(path.name, content, monkeypatch)
    refused(path.parent, str(path), "mkdir")
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    "batch",
    [
        {"labels": [0] * RECORDS},
        {"data": np.zeros((RECORDS, 3072), np.uint8)},
        {"data": np.zeros((RECORDS, 3071), np.uint8), "labels": [0] * RECORDS},
        {"data": np.zeros((RECORDS, 3072), np.float32), "labels": [0] * RECORDS},
        {"data": np.zeros((RECORDS, 3072), np.uint8), "labels": [0] * (RECORDS - 1)},
        {"data": np.zeros((RECORDS, 3072), np.uint8), "labels": ["cat"] * RECORDS},
        {"data": np.zeros((RECORDS, 3072), np.uint8), "labels": [0] * (RECORDS - 1) + [10]},
        {"data": "text", "labels": [0] * RECORDS},
        ["a list"],
    ],
    ids=lambda batch: ",".join(batch),
)
def test_a_pickle_of_something_else_is_refused(small, batch, tmp_path, monkeypatch):
    path = small.write("python", tmp_path / "copy") / "data_batch_1"
    padding = b"." * RECORDS * 3072  # after the pickle's end, so that only its content can be at fault
    path.write_bytes(pickled(batch) + padding)
    accept_python_file(path.name, path.read_bytes(), monkeypatch)
    refused(path.parent, str(path))


@pytest.mark.parametrize("size", [0, -1, 1.5, "10", True])
@pytest.mark.parametrize("name", ["train_size", "test_size"])
def test_sizes_must_be_whole_and_positive(name, size):
    with pytest.raises(ParameterError, match=f"{name} is {size!r}"):
        load(**{name: size})


def test_more_images_than_there_are_is_an_error(small, tmp_path):
    folder = small.write("binary", tmp_path / "copy")
    with pytest.raises(ParameterError, match="train_size is 101, but there are only 100"):
        load(101, directory=folder)
    with pytest.raises(ParameterError, match="test_size is 21, but there are only 20"):
        load(None, 21, directory=folder)


def test_a_good_copy_in_the_default_folder_needs_no_network(small):
    small.write("python", cifar10.DEFAULT_FOLDER / "cifar-10-batches-py")
    assert load(download=False).source.kind == "official"


def test_without_download_the_images_are_synthetic_and_say_so(capsys):
    data = load(30, 20, download=False)
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert "downloading is switched off" in said
    assert "synthetic" in said
    assert "CIFAR10_DIR" in said
    assert data.source.kind == "synthetic"
    assert data.classes == SYNTHETIC_CLASSES
    for text in (repr(data), data._repr_html_(), data.source.caption, data.source.description):
        assert "synthetic" in text
    assert np.array_equal(data.train.images, generate(30, seed=0, split=0)[0])
    assert np.array_equal(data.test.images, generate(20, seed=0, split=1)[0])


def test_synthetic_images_come_in_the_sizes_of_the_subset():
    data = load(download=False)
    assert (len(data.train), len(data.test)) == (4000, 1000)


def test_a_damaged_default_copy_is_named_even_when_synthetic_images_take_over(small, capsys):
    folder = small.write("binary", cifar10.DEFAULT_FOLDER)
    (folder / "data_batch_2.bin").write_bytes(b"short")
    assert load(10, 10, download=False).source.kind == "synthetic"
    assert str(folder / "data_batch_2.bin") in capsys.readouterr().out


def tiny(count: int = 12) -> Cifar10:
    """A few images that belong to no layout."""
    train, test = (Split(*generate(count, seed=3, split=split)) for split in (0, 1))
    return Cifar10(train, test, Source("synthetic", "synthetic images", "synthetic images"))


def test_binary_files_hold_label_then_red_green_blue(tmp_path):
    data = tiny()
    files = data.write_binary(tmp_path / "new" / "folder")
    content = files.train_bin.read_bytes()
    assert len(content) == 12 * 3073
    record = content[5 * 3073 : 6 * 3073]
    assert record[0] == data.train.labels[5]
    assert record[1 + 2 * 1024 + 7 * 32 + 3] == data.train.images[5, 2, 7, 3]
    assert files.train_sha256 == hashlib.sha256(content).hexdigest()
    assert files.test_sha256 == hashlib.sha256(files.test_bin.read_bytes()).hexdigest()
    assert sorted(path.name for path in files.train_bin.parent.iterdir()) == ["test.bin", "train.bin"]


def test_equal_files_are_left_alone_and_others_replaced(tmp_path):
    files = tiny().write_binary(tmp_path)
    before = files.train_bin.stat().st_ino
    assert tiny().write_binary(tmp_path) == files
    assert files.train_bin.stat().st_ino == before
    damaged = bytearray(files.train_bin.read_bytes())
    damaged[100] ^= 1
    files.train_bin.write_bytes(damaged)
    assert tiny().write_binary(tmp_path) == files
    assert hashlib.sha256(files.train_bin.read_bytes()).hexdigest() == files.train_sha256


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    files = tiny().write_binary(tmp_path)
    old = files.train_bin.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cifar10.os, "fsync", full)
    with pytest.raises(DataError, match="No space left"):
        tiny(14).write_binary(tmp_path)
    assert files.train_bin.read_bytes() == old
    assert sorted(path.name for path in tmp_path.iterdir()) == ["test.bin", "train.bin"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DataError, match="file"):
        tiny().write_binary(tmp_path / "file")


def test_normalise_is_the_formula_in_float32():
    images = generate(4, seed=0, split=0)[0]
    result = normalise(images)
    assert result.dtype == np.float32
    assert result.shape == images.shape
    exact = (images / 255 - np.array(MEAN).reshape(3, 1, 1)) / np.array(STD).reshape(3, 1, 1)
    assert np.abs(result - exact).max() < 1e-6
    value = np.float32(images[1, 2, 3, 4]) / np.float32(255)
    assert result[1, 2, 3, 4] == (value - np.float32(MEAN[2])) / np.float32(STD[2])


def test_the_table_counts_each_class():
    page = tiny(20)._repr_html_()
    assert page.count("<td>2</td>") == 20
    assert "<td>20</td>" in page


@needs_subset
def test_the_real_subset(monkeypatch):
    monkeypatch.setenv("CIFAR10_DIR", str(SUBSET))
    data = load()
    assert data.source.kind == "subset"
    assert data.train.class_counts().tolist() == [396, 366, 420, 384, 422, 393, 414, 385, 407, 413]
    assert data.test.class_counts().tolist() == [103, 89, 100, 103, 90, 86, 112, 102, 106, 109]
    pixels = data.train.images.reshape(4000, 3, -1) / 255
    assert np.abs(pixels.mean(axis=(0, 2)) - MEAN).max() < 0.003
    assert np.abs(pixels.std(axis=(0, 2)) - STD).max() < 0.003


@needs_subset
def test_the_real_subset_is_written_back_byte_for_byte(tmp_path):
    files = load(directory=SUBSET).write_binary(tmp_path)
    assert files.train_bin.read_bytes() == (SUBSET / "train.bin").read_bytes()
    assert {"train.bin": files.train_sha256, "test.bin": files.test_sha256} == cifar10_files.SUBSET_SHA256


@needs_subset
def test_damage_to_the_real_subset_is_named(tmp_path):
    for name in ("train.bin", "test.bin"):
        (tmp_path / name).write_bytes((SUBSET / name).read_bytes())
    path = tmp_path / "test.bin"
    good = path.read_bytes()
    for place, change, parts in (
        (500 * 3073 + 100, 1, ["damaged", "sha256"]),
        (500 * 3073, 64, ["record 500", "label"]),
    ):
        content = bytearray(good)
        content[place] ^= change
        path.write_bytes(content)
        refused(tmp_path, str(path), *parts)
    path.write_bytes(good[: 700 * 3073])
    refused(tmp_path, str(path), "truncated", "700 whole records")
    path.unlink()
    refused(tmp_path, "1 of the 2 files", "missing: test.bin")
