"""Small files in CIFAR-10's official layouts, made from generated images, and a server that sends an archive."""

import hashlib
import io
import pickle
import struct
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from torchvision.datasets import CIFAR10

from helpers import cifar10_files
from helpers.cifar10 import Split
from helpers.synthetic_cifar10 import generate

RECORDS = 20  # a batch, in place of 10,000
NAMES = [f"data_batch_{number}" for number in range(1, 6)] + ["test_batch"]


class Python2Pickler(pickle._Pickler):
    """Writes strings as Python 2 did, which the official files come from."""

    dispatch = pickle._Pickler.dispatch.copy()

    def save_string(self, text: str | bytes) -> None:
        raw = text.encode("latin1") if isinstance(text, str) else text
        short = len(raw) < 256
        self.write((pickle.SHORT_BINSTRING + bytes([len(raw)]) if short else b"T" + struct.pack("<i", len(raw))) + raw)
        self.memoize(text)

    dispatch[str] = dispatch[bytes] = save_string


def pickled(content: dict) -> bytes:
    """The content as an official batch file has it: protocol 2, the strings of Python 2, the numpy of its time."""
    file = io.BytesIO()
    Python2Pickler(file, protocol=2).dump(content)
    return file.getvalue().replace(b"numpy._core.multiarray", b"numpy.core.multiarray")


@dataclass(frozen=True)
class SmallCifar:
    """Six batches, as arrays and in both official layouts."""

    batches: dict[str, Split]
    binary: dict[str, bytes]
    python: dict[str, bytes]

    def write(self, layout: str, folder: Path) -> Path:
        """Unpack one layout into a folder."""
        folder.mkdir(parents=True)
        for name, content in getattr(self, layout).items():
            (folder / name).write_bytes(content)
        return folder

    def archive(self) -> bytes:
        """The Python layout as a tar.gz file."""
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode="w:gz") as tar:
            for name, content in self.python.items():
                member = tarfile.TarInfo(f"cifar-10-batches-py/{name}")
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        return file.getvalue()

    @property
    def train_images(self) -> np.ndarray:
        """All training images, in order."""
        return np.concatenate([self.batches[name].images for name in NAMES[:5]])


def small_cifar() -> SmallCifar:
    """Make the six batches."""
    batches = {name: Split(*generate(RECORDS, seed=number, split=0)) for number, name in enumerate(NAMES)}
    return SmallCifar(
        batches=batches,
        binary={f"{name}.bin": b"".join(split.records()) for name, split in batches.items()},
        python={
            name: pickled(
                {
                    "batch_label": f"{name} of 5",
                    "labels": split.labels.tolist(),
                    "data": split.images.reshape(RECORDS, -1),
                    "filenames": [f"picture_{number}.png" for number in range(RECORDS)],
                }
            )
            for name, split in batches.items()
        },
    )


def md5(content: bytes) -> str:
    """The md5 as hexadecimal digits."""
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def expect_small(small: SmallCifar, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the small files' sizes and checksums in the place of the official ones."""
    monkeypatch.setattr(cifar10_files, "BATCH_RECORDS", RECORDS)
    monkeypatch.setattr(cifar10_files, "BINARY_MD5", {name: md5(content) for name, content in small.binary.items()})
    sums = [[name, md5(content)] for name, content in small.python.items()]
    monkeypatch.setattr(CIFAR10, "train_list", sums[:5])
    monkeypatch.setattr(CIFAR10, "test_list", sums[5:])


@dataclass
class ArchiveServer:
    """Serves one file and notes what it was asked for.

    Attributes:
        content: The file.
        ranges: Whether it honours `Range`.
        cuts: For the first connections: the number of bytes after which each is closed.
        status: An error to answer with, 0 for none.
        silent: Whether it accepts connections and says nothing.
        asked: The `Range` header of each request, "" for none.
        sent: The number of bytes sent in each answer.
    """

    content: bytes
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    status: int = 0
    silent: bool = False
    asked: list[str] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    url: str = ""

    @contextmanager
    def running(self) -> Iterator["ArchiveServer"]:
        """Serve on a free port of 127.0.0.1."""
        release = threading.Event()
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler(release))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}/cifar-10-python.tar.gz"
        try:
            yield self
        finally:
            release.set()
            server.shutdown()
            server.server_close()
            thread.join()

    def _handler(self, release: threading.Event) -> type[BaseHTTPRequestHandler]:
        state = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = self.headers.get("Range", "")
                state.asked.append(asked)
                if state.silent:
                    release.wait(30)
                    return
                if state.status:
                    self.send_error(state.status)
                    return
                start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and state.ranges else 0
                if start >= len(state.content):
                    self.send_error(416)
                    return
                body = state.content[start:]
                self.send_response(206 if start else 200)
                self.send_header("Content-Length", str(len(body)))
                if start:
                    self.send_header("Content-Range", f"bytes {start}-{len(state.content) - 1}/{len(state.content)}")
                self.end_headers()
                body = body[: state.cuts.pop(0)] if state.cuts else body
                self.wfile.write(body)
                state.sent.append(len(body))

            def log_message(self, *args: object) -> None:
                pass

        return Handler
