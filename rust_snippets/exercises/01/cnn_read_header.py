import json
from pathlib import Path


def shapes(path: Path) -> dict[str, list[int]]:
    # BEGIN SOLUTION
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    return {name: entry["shape"] for name, entry in header.items() if name != "__metadata__"}
    # END SOLUTION


# BEGIN HIDDEN TESTS
import tempfile

import torch
from safetensors.torch import save_file

with tempfile.TemporaryDirectory() as folder:
    whole = Path(folder) / "whole.safetensors"
    save_file({"fc.weight": torch.zeros(10, 4), "fc.bias": torch.zeros(10)}, whole, metadata={"made": "here"})
    found = {name: list(shape) for name, shape in shapes(whole).items()}
    assert found.get("fc.weight") == [10, 4], "fc.weight has the shape [10, 4]"
    assert "__metadata__" not in found, "`__metadata__` is no tensor"
    assert found == {"fc.weight": [10, 4], "fc.bias": [10]}, f"two tensors are in the file, not {list(found)}"
    header = Path(folder) / "header.safetensors"
    length = int.from_bytes(whole.read_bytes()[:8], "little")
    header.write_bytes(whole.read_bytes()[: 8 + length])
    assert {name: list(shape) for name, shape in shapes(header).items()} == found, "the header alone must be enough"
# END HIDDEN TESTS
