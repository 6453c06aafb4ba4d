def turns(names: list[str], rounds: int) -> list[str]:
    # BEGIN SOLUTION
    order = []
    for number in range(rounds):
        shift = number % len(names)
        order += names[shift:] + names[:shift]
    return order
    # END SOLUTION


# BEGIN HIDDEN TESTS
names = ["tch", "candle", "burn"]
found = list(turns(names, 2))
wanted = ["tch", "candle", "burn", "candle", "burn", "tch"]
assert found == wanted, f"two rounds must be {wanted}, and are {found}"
found = list(turns(names, 7))
assert [found.count(name) for name in names] == [7, 7, 7], "each name runs once a round"
assert found[0::3] == ["tch", "candle", "burn"] * 2 + ["tch"], "after the last name the first one begins again"
assert names == ["tch", "candle", "burn"], "the argument must stay as it was"
assert list(turns(names, 0)) == [], "no rounds, no turns"
assert list(turns(["burn"], 2)) == ["burn", "burn"], "a single name begins every round"
# END HIDDEN TESTS
