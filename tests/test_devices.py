"""Devices are told from what the machine answers, with a reason for every no."""

import importlib.util
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import devices
from helpers.engines import ENGINES
from helpers.errors import DeviceError


def fake_program(folder, name, script):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


def cuda_reasons(environ):
    return {row.engine: row.reason for row in devices.device_table(environ) if row.device == "cuda"}


def test_without_a_driver_every_engine_has_its_cpu_and_a_reason(tmp_path):
    table = devices.device_table({"PATH": str(tmp_path)})
    assert [(row.engine, row.device) for row in table] == [(name, d) for name in ENGINES for d in ("cpu", "cuda")]
    assert all(row.available == (row.device == "cpu") for row in table)
    assert all("no NVIDIA driver" in reason for reason in cuda_reasons({"PATH": str(tmp_path)}).values())


def test_a_driver_that_fails_is_quoted(tmp_path):
    environ = fake_program(tmp_path, "nvidia-smi", "echo 'Failed to initialize NVML: Driver/library mismatch'; exit 18")
    assert devices.find_gpu(environ).reason == "nvidia-smi failed (Failed to initialize NVML: Driver/library mismatch)"


def test_a_driver_without_a_gpu(tmp_path):
    assert devices.find_gpu(fake_program(tmp_path, "nvidia-smi", "true")).reason == "nvidia-smi lists no GPU"


def test_a_gpu_without_nvcc_leaves_out_the_engines_that_compile_kernels(tmp_path, monkeypatch):
    environ = fake_program(tmp_path, "nvidia-smi", "echo 'NVIDIA H200, 570.86'")
    environ["PATH"] = str(tmp_path)
    monkeypatch.setattr(devices, "torch_cuda_version", lambda: None)
    assert devices.find_gpu(environ) == devices.Gpu(("NVIDIA H200",), "570.86")
    reasons = cuda_reasons(environ)
    assert "nvcc" in reasons["candle"] and "nvcc" in reasons["dfdx"]
    assert reasons["pytorch"] == reasons["tch"] == "the installed torch is a CPU build"
    assert reasons["burn"] == ""
    fake_program(tmp_path, "nvcc", "true")
    assert cuda_reasons(environ)["candle"] == ""


def test_resolve(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert devices.resolve("candle", "cpu") == "cpu"
    assert devices.resolve("candle", "auto") == "cpu"
    with pytest.raises(DeviceError, match=r"Candle cannot use cuda here: no NVIDIA driver.*; choose cpu or auto"):
        devices.resolve("candle", "cuda")
    with pytest.raises(DeviceError, match="no device 'gpu': choose auto, cpu or cuda"):
        devices.resolve("candle", "gpu")
    with pytest.raises(DeviceError, match="no engine 'jax'"):
        devices.resolve("jax", "auto")


def test_torch_is_asked_without_importing_it():
    code = "import sys; from helpers.devices import torch_cuda_version as v; print(v(), 'torch' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert said[1] == "False"

    version = Path(importlib.util.find_spec("torch").origin).with_name("version.py")
    assert said[0] == str(runpy.run_path(str(version))["cuda"])
