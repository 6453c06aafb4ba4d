def stars(value: float | None, limits: tuple[float, float, float, float], more_is_better: bool) -> int | None:
    # BEGIN SOLUTION
    if value is None or value != value:
        return None
    for place, limit in enumerate(limits):
        if (value >= limit) if more_is_better else (value <= limit):
            return 5 - place
    return 1
    # END SOLUTION


# BEGIN HIDDEN TESTS
share, seconds = (0.9, 0.7, 0.5, 0.25), (0.75, 1.5, 3.0, 6.0)
for value, wanted in {0.97: 5, 0.9: 5, 0.89: 4, 0.5: 3, 0.3: 2, 0.05: 1, 0.0: 1}.items():
    found = stars(value, share, True)
    assert found == wanted, f"a share of {value} must give {wanted} stars, and gives {found}"
for value, wanted in {0.1: 5, 0.75: 5, 0.76: 4, 3.0: 3, 6.0: 2, 100.0: 1}.items():
    found = stars(value, seconds, False)
    assert found == wanted, f"{value} seconds must give {wanted} stars, and give {found}"
assert stars(None, share, True) is None, "nothing measured, no star"
assert stars(float("nan"), seconds, False) is None, "NaN is nothing measured, so there is no star"
# END HIDDEN TESTS
