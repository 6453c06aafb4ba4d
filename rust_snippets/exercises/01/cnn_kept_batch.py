import torch


def batches(order: torch.Tensor, batch_size: int) -> list[torch.Tensor]:
    # BEGIN SOLUTION
    return [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
    # END SOLUTION


# BEGIN HIDDEN TESTS
order = torch.tensor([7, 3, 9, 1, 0, 5, 2, 8, 6, 4])
for size, wanted in {4: [4, 4, 2], 5: [5, 5], 20: [10]}.items():
    found = list(batches(order, size))
    sizes = [len(part) for part in found]
    assert sizes == wanted, f"ten images by {size}: the sizes must be {wanted}, and are {sizes}"
    assert torch.equal(torch.cat(found), order), f"ten images by {size}: all of them, in their order"
assert list(batches(order[:0], 4)) == [], "no images make no batches"
# END HIDDEN TESTS
