import torch


def megabytes(batch_size: int, dtype: torch.dtype) -> float:
    # BEGIN SOLUTION
    return batch_size * 3 * 224 * 224 * dtype.itemsize / 1e6
    # END SOLUTION


# BEGIN HIDDEN TESTS
for batch_size, dtype, wanted in (
    (64, torch.float32, 38.535168),
    (20, torch.float32, 12.04224),
    (64, torch.uint8, 9.633792),
):
    found = megabytes(batch_size, dtype)
    assert abs(found - wanted) < 1e-6, f"{batch_size} pictures of {dtype} are {wanted} MB, and you say {found}"
assert abs(megabytes(10**9, torch.float16) - 301056e3) < 1, "a batch that fits no memory has a size all the same"
# END HIDDEN TESTS
