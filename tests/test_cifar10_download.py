"""The download, against a server on this machine that breaks off, refuses, stalls and sends wrong bytes."""

import threading
import time

import numpy as np
import pytest
from cifar10_samples import ArchiveServer, expect_small, md5, small_cifar
from filelock import FileLock
from torchvision.datasets import CIFAR10

from helpers import cifar10, cifar10_download
from helpers.cifar10 import load

SMALL = small_cifar()
ARCHIVE = SMALL.archive()
HALF = len(ARCHIVE) // 2


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.delenv("CIFAR10_DIR", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(cifar10, "DEFAULT_FOLDER", tmp_path / "cifar-10")
    monkeypatch.setattr(cifar10, "_failed_download", None)
    monkeypatch.setattr(CIFAR10, "tgz_md5", md5(ARCHIVE))
    expect_small(SMALL, monkeypatch)
    return tmp_path / "cifar-10"


@pytest.fixture
def serve(monkeypatch):
    """Start a server and make it the place that CIFAR-10 comes from."""
    running = []

    def start(**how) -> ArchiveServer:
        context = ArchiveServer(**{"content": ARCHIVE, **how}).running()
        server = context.__enter__()
        running.append(context)
        monkeypatch.setattr(CIFAR10, "url", server.url)
        return server

    yield start
    for context in running:
        context.__exit__(None, None, None)


def assert_real(data) -> None:
    assert data.source.kind == "official"
    assert np.array_equal(data.train.images, SMALL.train_images)


def assert_synthetic(data, capsys, *reasons: str) -> None:
    said = capsys.readouterr().out
    assert data.source.kind == "synthetic"
    assert said.count("\n") == 1
    for reason in (*reasons, "synthetic"):
        assert reason in said


def test_the_archive_is_fetched_once(folder, serve, capsys):
    server = serve()
    assert_real(load())
    assert_real(load())
    assert server.asked == [""]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "CIFAR-10:   0%" in captured.err


def test_a_partial_file_is_completed(folder, serve):
    folder.mkdir()
    (folder / f"{CIFAR10.filename}.part").write_bytes(ARCHIVE[:HALF])
    server = serve()
    assert_real(load())
    assert server.asked == [f"bytes={HALF}-"]
    assert server.sent == [len(ARCHIVE) - HALF]


def test_an_archive_that_torchvision_left_in_part_is_completed(folder, serve):
    folder.mkdir()
    (folder / CIFAR10.filename).write_bytes(ARCHIVE[:HALF])
    server = serve()
    assert_real(load())
    assert server.asked == [f"bytes={HALF}-"]


def test_an_interrupted_transfer_goes_on_where_it_ended(folder, serve):
    server = serve(cuts=[1000, 2000])
    assert_real(load())
    assert server.asked == ["", "bytes=1000-", "bytes=3000-"]


def test_a_server_without_ranges_sends_all_again(folder, serve):
    server = serve(cuts=[1000], ranges=False)
    assert_real(load())
    assert server.sent == [1000, len(ARCHIVE)]


def test_a_part_with_wrong_bytes_is_fetched_anew(folder, serve):
    folder.mkdir()
    (folder / f"{CIFAR10.filename}.part").write_bytes(b"?" * HALF)
    server = serve()
    assert_real(load())
    assert server.asked == [f"bytes={HALF}-", ""]


def test_a_part_that_is_too_long_is_fetched_anew(folder, serve):
    folder.mkdir()
    (folder / f"{CIFAR10.filename}.part").write_bytes(ARCHIVE + b"more")
    server = serve()
    assert_real(load())
    assert server.asked == [f"bytes={len(ARCHIVE) + 4}-", ""]


def test_a_whole_part_needs_only_its_name(folder, serve):
    folder.mkdir()
    (folder / f"{CIFAR10.filename}.part").write_bytes(ARCHIVE)
    server = serve()
    assert_real(load())
    assert server.sent == []


def test_a_wrong_archive_is_never_unpacked(folder, serve, capsys):
    server = serve(content=ARCHIVE[:-1] + b"?")
    assert_synthetic(load(20, 10), capsys, "has not the official md5", md5(ARCHIVE))
    assert server.asked == ["", ""]
    assert not (folder / CIFAR10.base_folder).exists()
    assert not (folder / CIFAR10.filename).exists()


def test_a_refused_connection_is_tried_once_in_a_process(folder, monkeypatch, capsys):
    with ArchiveServer(ARCHIVE).running() as server:
        address = server.url
    monkeypatch.setattr(CIFAR10, "url", address)  # nothing listens there any more
    assert_synthetic(load(20, 10), capsys, "refused the connection")

    def again(folder):
        raise AssertionError("the failure was not remembered")

    monkeypatch.setattr(cifar10, "fetch_official", again)
    assert_synthetic(load(20, 10), capsys, "refused the connection")


def test_a_silent_server_is_given_up(folder, serve, monkeypatch, capsys):
    monkeypatch.setattr(cifar10_download, "TIMEOUT_S", 0.3)
    server = serve(silent=True)
    assert_synthetic(load(20, 10), capsys, "sent nothing for 0.3 s")
    assert server.asked == [""]


def test_a_transfer_that_stops_for_good_keeps_what_came(folder, serve, capsys):
    server = serve(cuts=[1000, 0, 0])
    assert_synthetic(load(20, 10), capsys, "ended the transfer after 1,000 bytes")
    assert len(server.asked) == 3
    assert (folder / f"{CIFAR10.filename}.part").read_bytes() == ARCHIVE[:1000]


@pytest.mark.parametrize("status", [403, 404, 503])
def test_an_error_of_the_server_is_told(folder, serve, capsys, status):
    serve(status=status)
    assert_synthetic(load(20, 10), capsys, f"answered {status}")


def test_an_unknown_host_is_told(folder, monkeypatch, capsys):
    monkeypatch.setattr(CIFAR10, "url", "http://no-such-host.invalid/cifar-10-python.tar.gz")
    monkeypatch.delenv("http_proxy", raising=False)
    monkeypatch.delenv("HTTP_PROXY", raising=False)
    assert_synthetic(load(20, 10), capsys, "no-such-host.invalid", "no network")


def test_a_half_unpacked_archive_is_unpacked_again(folder, serve):
    server = serve()
    load()
    (folder / CIFAR10.base_folder / "data_batch_3").unlink()
    (folder / CIFAR10.base_folder / "data_batch_4").write_bytes(b"half")
    assert_real(load())
    assert server.asked == [""]


def test_a_folder_that_cannot_be_made_is_told(folder, capsys):
    folder.write_bytes(b"a file")
    assert_synthetic(load(20, 10), capsys, str(folder), "cannot be written")


def test_an_archive_of_other_files_is_told(folder, serve, monkeypatch, capsys):
    serve()
    monkeypatch.setattr(CIFAR10, "test_list", [["test_batch", "0" * 32]])
    assert_synthetic(load(20, 10), capsys, "other files than the official ones")


def test_a_second_process_waits_for_the_first(folder, serve, capsys):
    server = serve()
    folder.mkdir()
    results = []
    with FileLock(folder / "download.lock"):
        waiting = threading.Thread(target=lambda: results.append(load()), daemon=True)
        waiting.start()
        deadline = time.monotonic() + 30
        while "waiting" not in capsys.readouterr().out and time.monotonic() < deadline:
            time.sleep(0.02)
        assert server.asked == []
        SMALL.write("python", folder / CIFAR10.base_folder)
    waiting.join(30)
    assert_real(results[0])
    assert server.asked == []
