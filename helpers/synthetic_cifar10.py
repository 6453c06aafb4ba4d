"""Generated images in CIFAR-10's shape, for a machine without the real ones.

Each image is a patch of one of ten textures, at a random place, in two colours, on a background of a third colour
with a slope, under noise. The colours of the patch hint at the class, as a blue sky hints at an aeroplane: that is all
a linear model of the pixels can use, while two small convolutions see the texture. Learnable, not trivial.

All arithmetic is on integers drawn from `numpy.random.default_rng`, so a seed gives the same bytes on every machine.
"""

import numpy as np

SYNTHETIC_CLASSES = (
    "horizontal stripes",
    "vertical stripes",
    "rising diagonals",
    "falling diagonals",
    "checkerboard",
    "grid",
    "dots",
    "rings",
    "blocks",
    "plain",
)

# How a class leans in red, green and blue.
TINTS = np.array(
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0]]
)
TINT_STRENGTH = 24

SIDE = 32
BLOCK = 100  # images generated at a time; each block has its own generator, so N images are a prefix of N + 1


def generate(count: int, *, seed: int, split: int) -> tuple[np.ndarray, np.ndarray]:
    """Generate `count` labelled images.

    Every ten images in a row hold each class once. A longer set starts with the images of a shorter one.

    Args:
        count: Number of images, at least 0.
        seed: Same seed, same bytes.
        split: 0 for training, 1 for test: two sets that share no random numbers.

    Returns:
        images: uint8 [count, 3, 32, 32].
        labels: int64 [count], 0 to 9, in the order of `SYNTHETIC_CLASSES`.
    """
    blocks = [_block(np.random.default_rng([seed, split, number])) for number in range(-(-count // BLOCK))]
    if not blocks:
        return np.zeros((0, 3, SIDE, SIDE), np.uint8), np.zeros(0, np.int64)
    images = np.concatenate([images for images, _ in blocks])[:count]
    labels = np.concatenate([labels for _, labels in blocks])[:count]
    return images, labels


def _block(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return `BLOCK` images and their labels."""
    labels = np.argsort(rng.integers(0, 2**62, (BLOCK // 10, 10)), axis=1).reshape(-1)
    dy, dx, inside = _patch(rng)
    textures = _textures(rng, dy, dx)
    bright = np.choose(labels[:, None, None], textures)  # [B, 32, 32]
    background, dark, light = _colours(rng, labels)
    images = np.where(inside[:, None], np.where(bright[:, None], light, dark), background)  # [B, 3, 32, 32]
    images = images + _slope(rng)[:, None] + _noise(rng)
    return np.clip(images, 0, 255).astype(np.uint8), labels.astype(np.int64)


def _patch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place a disc or a square of 15 to 23 pixels anywhere that it fits.

    Returns:
        dy, dx: int [B, 32, 1] and [B, 1, 32], the distance of each row and column from the patch's centre.
        inside: bool [B, 32, 32].
    """
    half = rng.integers(7, 12, (BLOCK, 1, 1))
    free = SIDE - 2 * half
    dy = np.arange(SIDE)[None, :, None] - half - rng.integers(0, 2**16, (BLOCK, 1, 1)) % free
    dx = np.arange(SIDE)[None, None, :] - half - rng.integers(0, 2**16, (BLOCK, 1, 1)) % free
    disc = dy * dy + dx * dx <= half * half
    square = np.maximum(np.abs(dy), np.abs(dx)) <= half
    return dy, dx, np.where(rng.integers(0, 2, (BLOCK, 1, 1)) == 1, disc, square)


def _textures(rng: np.random.Generator, dy: np.ndarray, dx: np.ndarray) -> list[np.ndarray]:
    """Return the ten textures, bool [B, 32, 32] each, with a random period and phase for each image."""
    period = rng.integers(3, 7, (BLOCK, 1, 1))
    half = period // 2
    y = dy + rng.integers(SIDE, 2 * SIDE, (BLOCK, 1, 1))
    x = dx + rng.integers(SIDE, 2 * SIDE, (BLOCK, 1, 1))
    away_y, away_x = rng.integers(-4, 5, (2, BLOCK, 1, 1))
    radius = np.sqrt((dy - away_y) ** 2 + (dx - away_x) ** 2).astype(np.int64)  # sqrt rounds alike everywhere
    coarse = rng.integers(0, 2, (BLOCK, SIDE // 2, SIDE // 2)).repeat(2, axis=1).repeat(2, axis=2)

    def on(value: np.ndarray) -> np.ndarray:
        return value % period < half

    every = np.ones((BLOCK, SIDE, SIDE), bool)
    return [
        on(y) & every,
        on(x) & every,
        on(x + y),
        on(x - y),
        on(y) ^ on(x),
        (y % (period + 1) == 0) | (x % (period + 1) == 0),
        (y % (period + 1) < 2) & (x % (period + 1) < 2),
        on(radius),
        coarse == 1,
        ~every,
    ]


def _colours(rng: np.random.Generator, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the colours of the background and of the patch's two inks, int16 [B, 3, 1, 1] each.

    The inks lie on both sides of a middle colour that leans to the class's tint; either may be the brighter one.
    """
    background = rng.integers(50, 206, (BLOCK, 3, 1, 1))
    middle = rng.integers(80, 176, (BLOCK, 3, 1, 1)) + TINT_STRENGTH * TINTS[labels][..., None, None]
    step = rng.integers(8, 38, (BLOCK, 3, 1, 1)) * (2 * rng.integers(0, 2, (BLOCK, 1, 1, 1)) - 1)
    return background.astype(np.int16), (middle - step).astype(np.int16), (middle + step).astype(np.int16)


def _slope(rng: np.random.Generator) -> np.ndarray:
    """Return int16 [B, 32, 32]: light that falls off to one side, by at most 62 along each axis."""
    down, right = rng.integers(-2, 3, (2, BLOCK, 1, 1))
    y, x = np.mgrid[0:SIDE, 0:SIDE] - SIDE // 2
    return (down * y + right * x).astype(np.int16)


def _noise(rng: np.random.Generator) -> np.ndarray:
    """Return int16 [B, 3, 32, 32], the sum of three uniform numbers: mean 0, standard deviation about 27."""
    draws = rng.integers(-27, 28, (3, BLOCK, 3, SIDE, SIDE), dtype=np.int8)
    return draws.sum(axis=0, dtype=np.int16)
