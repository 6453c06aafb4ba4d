"""Errors of libtorch without its C++ stack; the texts were recorded from tch 0.26.0 and shortened."""

from helpers.torch_errors import without_torch_frames

FRAMES = (
    "Exception raised from meta at /__w/pytorch/pytorch/aten/src/ATen/native/LinearAlgebra.cpp:194 (most recent call "
    "first):{end}frame #0: c10::Error::Error(c10::SourceLocation, std::basic_string<char>) + 0x9d (0x7f8983363bfd in "
    "/home/eve/.venv/lib/python3.11/site-packages/torch/lib/libc10.so){end}frame #1: <unknown function> + 0x2e38025 "
    '(0x7f8971238025 in /home/eve/a \\"b\\" (1)/libtorch_cpu.so){end}'
)
MESSAGE = "mat1 and mat2 shapes cannot be multiplied (64x2304 and 4096x10)"


def test_panic_ends_after_the_message():
    frames = FRAMES.format(end="\\n")
    panic = f'called `Result::unwrap()` on an `Err` value: Torch("{MESSAGE}\\n{frames}")'
    assert without_torch_frames(panic) == f'called `Result::unwrap()` on an `Err` value: Torch("{MESSAGE}")'


def test_lines_around_a_panic_stay():
    frames = FRAMES.format(end="\\n")
    text = f'thread panicked at a.rs:1:1:\nErr: Torch("{MESSAGE}\\n{frames}")\nnote: run with x\n'
    assert without_torch_frames(text) == f'thread panicked at a.rs:1:1:\nErr: Torch("{MESSAGE}")\nnote: run with x\n'


def test_displayed_error_loses_its_frames():
    frames = FRAMES.format(end="\n")
    assert without_torch_frames(f"Error: {MESSAGE}\n{frames}\nafter\n") == f"Error: {MESSAGE}\n\nafter\n"


def test_list_of_back_ends_is_left_out():
    text = (
        "Torch(\"Could not run 'aten::empty.memory_format' with arguments from the 'CUDA' backend. 'aten::empty."
        "memory_format' is only available for these backends: [CPU, Meta].\\n\\nCPU: registered at /b/x.cpp:1\\n\")"
    )
    expected = "Torch(\"Could not run 'aten::empty.memory_format' with arguments from the 'CUDA' backend.\")"
    assert without_torch_frames(text) == expected


def test_other_text_stays_as_it_is():
    text = "epoch 1\nframe rate 3\nException raised by hand\n"
    assert without_torch_frames(text) == text
