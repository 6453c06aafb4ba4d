"""Which images are good for comparing gradients: those that stay away from the network's kinks.

ReLU and max-pooling have kinks: where a value is zero, or where the two largest values of a pooling square are
equal, the gradient jumps. A batch of 64 images passes three million such places, and some lie so close to a kink
that the rounding of a float32 sum decides on which side. Then two correct programs disagree: PyTorch with oneDNN and
PyTorch without it differ by up to 5e-3 of a gradient's largest value on the first 64 images, in about half of all
seeds, and by less than 5e-6 on images that keep clear of the kinks.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

EQUAL = 1e-12  # in float64, values closer than this come from equal pixels, and either choice gives the same gradient
CHUNK = 32  # images at a time; bounds the memory


@torch.no_grad()
def kink_distances(parameters: Mapping[str, Tensor], images: Tensor) -> Tensor:
    """Compute how near each image comes to a kink of the network.

    Args:
        parameters: The six tensors of `weights.PARAMETER_SHAPES`.
        images: Normalised images [N, 3, 32, 32].

    Returns:
        float64 [N]: the smallest distance of a ReLU's input from zero, or of the largest from the second largest
        value in a pooling square.
    """
    exact = {name: tensor.double() for name, tensor in parameters.items()}
    return torch.cat([_distances(exact, chunk.double()) for chunk in images.split(CHUNK)])


def _distances(parameters: Mapping[str, Tensor], x: Tensor) -> Tensor:
    nearest = torch.full((len(x),), torch.inf, dtype=torch.float64)  # [B]
    for layer in ("conv1", "conv2"):
        y = torch.conv2d(x, parameters[f"{layer}.weight"], parameters[f"{layer}.bias"], padding=1)  # [B, C, H, W]
        squares = y.relu().unfold(2, 2, 2).unfold(3, 2, 2).flatten(-2)  # [B, C, H/2, W/2, 4]
        x, second = squares.topk(2).values.unbind(-1)  # [B, C, H/2, W/2] each
        lead = x - second
        lead[(x == 0) | (lead < EQUAL)] = torch.inf  # no gradient passes here, or the same one either way
        for distance in (y.abs(), lead):
            nearest = torch.minimum(nearest, distance.flatten(1).amin(1))
    return nearest
