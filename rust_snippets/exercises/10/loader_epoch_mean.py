def epoch_mean(batch_means: list[float], batch_sizes: list[int]) -> float:
    # BEGIN SOLUTION
    total = sum(mean * size for mean, size in zip(batch_means, batch_sizes, strict=True))
    return total / sum(batch_sizes)
    # END SOLUTION


# BEGIN HIDDEN TESTS
found = epoch_mean([1.0, 1.0, 5.0], [4, 4, 2])
assert abs(found - 1.8) < 1e-9, f"batches of 4, 4 and 2 with means 1, 1 and 5 have the mean 1.8, not {found}"
assert abs(epoch_mean([1.0, 3.0], [8, 8]) - 2.0) < 1e-9, "with equal sizes it is the plain mean"
assert abs(epoch_mean([0.25], [7]) - 0.25) < 1e-9, "one batch's mean is the epoch's"
# END HIDDEN TESTS
