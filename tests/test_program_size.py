"""The loader's answer is read, and sizes follow links."""

import shutil
import sys
from pathlib import Path

import pytest

from helpers.program_size import needed_libraries, parse_ldd, total_bytes

LDD = """\tlinux-vdso.so.1 (0x00007ffd)
\tlibtorch_cpu.so => /site/torch lib/libtorch_cpu.so (0x00007f1)
\tlibgone.so => not found
\tlibm.so.6 => /lib/libm.so.6 (0x00007f2)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f3)
"""


def test_ldd_s_lines():
    assert parse_ldd(LDD) == [Path("/site/torch lib/libtorch_cpu.so"), Path("/lib/libm.so.6")]
    assert parse_ldd("\tstatically linked\n") == []


@pytest.mark.skipif(shutil.which("ldd") is None, reason="this system has no ldd")
def test_a_real_program():
    assert any("libc" in library.name for library in needed_libraries(Path(sys.executable).resolve()))


def test_without_ldd_nothing_is_known(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert needed_libraries(Path(sys.executable)) is None


def test_size(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert total_bytes([tmp_path / "link", tmp_path / "missing"]) == 5
