"""Descriptor 2 is silent inside the block and itself again behind it."""

import os
from pathlib import Path

import pytest

from helpers.quiet_stderr import quiet_stderr


def test_only_the_block_is_silent(capfd):
    os.write(2, b"before ")
    with quiet_stderr():
        os.write(2, b"inside ")
    os.write(2, b"behind")
    assert capfd.readouterr().err == "before behind"


def test_an_error_in_the_block_brings_stderr_back(capfd):
    with pytest.raises(ValueError, match="on purpose"), quiet_stderr():
        raise ValueError("on purpose")
    os.write(2, b"behind")
    assert capfd.readouterr().err == "behind"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system has no /proc")
def test_no_descriptor_is_left_open():
    before = len(list(Path("/proc/self/fd").iterdir()))
    with quiet_stderr():
        pass
    assert len(list(Path("/proc/self/fd").iterdir())) == before
