"""Fetching the official CIFAR-10 archive.

The address, the checksums and the unpacking are torchvision's. The transfer is done here, because torchvision starts
from the beginning after each interruption and waits without limit for a network that is not there; the archive has
170 MB.
"""

import http.client
import socket
import ssl
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from filelock import FileLock, Timeout
from tqdm.auto import tqdm

TIMEOUT_S = 10  # to connect, and between two pieces of data
ATTEMPTS = 20  # connections for one archive; two in a row that bring nothing end it earlier
CHUNK_BYTES = 1 << 18


class DownloadError(Exception):
    """The archive could not be fetched; the text is the reason, a clause without a full stop."""


def fetch_official(folder: Path) -> None:
    """Put the official Python files into `folder`/cifar-10-batches-py, unless they are there, whole.

    An archive that came only in part is completed from where it ended; one with the wrong md5 is fetched anew, once.
    A second process that wants the same folder waits for the first.

    Raises:
        DownloadError: The network, the server or the disk does not allow it. What has arrived stays for the next try.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "download.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            print("Another process is fetching CIFAR-10; waiting for it.")
            lock.acquire()
        try:
            _fetch(folder)
        finally:
            lock.release()
    except OSError as error:
        raise DownloadError(f"{error.filename or folder} cannot be written: {error.strerror or error}") from None


def _fetch(folder: Path) -> None:
    from torchvision.datasets import CIFAR10  # its import takes seconds, so only where it is needed
    from torchvision.datasets.utils import check_integrity, extract_archive

    if _whole(folder):
        return
    archive = folder / CIFAR10.filename
    if not check_integrity(archive, CIFAR10.tgz_md5):
        part = archive.with_name(archive.name + ".part")
        if archive.exists():  # the start of an archive, as torchvision's own download leaves it
            archive.replace(part)
        for _ in range(2):
            _transfer(CIFAR10.url, part)
            if check_integrity(part, CIFAR10.tgz_md5):
                break
            part.unlink()
        else:
            raise DownloadError(f"what {_host(CIFAR10.url)} sent has not the official md5 {CIFAR10.tgz_md5}, twice")
        part.replace(archive)
    extract_archive(archive, folder)
    if not _whole(folder):
        raise DownloadError(f"{archive} holds other files than the official ones")


def _whole(folder: Path) -> bool:
    """Return whether all unpacked files are there, with torchvision's checksums."""
    from torchvision.datasets import CIFAR10
    from torchvision.datasets.utils import check_integrity

    members = folder / CIFAR10.base_folder
    return all(check_integrity(members / name, md5) for name, md5 in CIFAR10.train_list + CIFAR10.test_list)


def _transfer(url: str, part: Path) -> None:
    """Connect until the file is complete or nothing more comes.

    Raises:
        DownloadError: Two connections in a row brought nothing, or the first one did not get through.
    """
    fruitless = 0
    for _ in range(ATTEMPTS):
        before = _size(part)
        try:
            if _receive(url, part):
                return
            reason = f"{_host(url)} ended the transfer after {_size(part):,} bytes"
        except urllib.error.HTTPError as error:
            if error.code == 416 and before:  # nothing follows what is here; the md5 decides
                return
            raise DownloadError(f"{_host(url)} answered {error.code} {error.reason}") from None
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError, ssl.SSLError) as error:
            reason = _reason(url, error)
        fruitless = 0 if _size(part) > before else fruitless + 1
        if fruitless == 2 or _size(part) == 0:
            break
    raise DownloadError(reason)


def _receive(url: str, part: Path) -> bool:
    """Append what one connection brings to `part`; return whether the file is complete."""
    start = _size(part)
    headers = {"User-Agent": "pytorch/vision"} | ({"Range": f"bytes={start}-"} if start else {})
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=TIMEOUT_S) as response:
        resumed = response.status == 206 and response.headers.get("Content-Range", "").startswith(f"bytes {start}-")
        if not resumed:
            start = 0
        length = response.headers.get("Content-Length")
        total = None if length is None else start + int(length)
        with (
            part.open("ab" if resumed else "wb") as file,
            tqdm(desc="CIFAR-10", total=total, initial=start, unit="B", unit_scale=True, leave=False) as bar,
        ):
            while chunk := response.read(CHUNK_BYTES):
                file.write(chunk)
                bar.update(len(chunk))
    return total is None or _size(part) >= total


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _host(url: str) -> str:
    return urlsplit(url).netloc


def _reason(url: str, error: Exception) -> str:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, socket.gaierror):
        return f"the address {_host(url)} cannot be resolved; there may be no network"
    if isinstance(cause, TimeoutError):
        return f"{_host(url)} sent nothing for {TIMEOUT_S} s"
    if isinstance(cause, ConnectionRefusedError):
        return f"{_host(url)} refused the connection"
    return f"{_host(url)}: {getattr(cause, 'strerror', None) or cause}"
