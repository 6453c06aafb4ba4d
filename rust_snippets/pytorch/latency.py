"""Times the network's answer to one image and to 64 images: `latency.py RUN.JSON`."""

import sys
from pathlib import Path
from time import perf_counter

import torch
from common import Config, emit, load_tensors
from data import CifarSet, batches
from model import Cnn


@torch.inference_mode()
def main(run_json: Path) -> None:
    """Answer again and again, and send the seconds of each answer."""
    config = Config.read(run_json)
    torch.set_num_threads(config.threads)
    model = Cnn()
    model.load_state_dict(load_tensors(config.init))
    model.to(config.device).eval()
    test_set = CifarSet.read(config.test_bin, config.test_size)
    for images, repeats in ((1, 100), (64, 8)):
        batch, _ = next(batches(test_set, torch.arange(images), images, config))  # [B, 3, 32, 32]
        for repeat in range(repeats + 1):
            start = perf_counter()
            logits = model(batch)  # [B, 10]
            logits.tolist()  # numbers in plain memory: now the answer is there
            seconds = perf_counter() - start
            if repeat > 0:
                emit({"event": "metric", "name": f"answer to {images}", "value": seconds})  # the first one warms up
    print("pytorch: timed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
