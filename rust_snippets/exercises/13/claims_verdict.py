def verdict(held: list[bool | None]) -> str:
    # BEGIN SOLUTION
    tried = [part for part in held if part is not None]
    if not tried:
        return "not run"
    return "true" if all(tried) else "partly" if any(tried) else "false"
    # END SOLUTION


# BEGIN HIDDEN TESTS
assert verdict([True]) == "true", "one part that holds is a true claim"
assert verdict([False, False]) == "false", "no part holds"
assert verdict([True, False]) == "partly", "one part holds, one does not"
assert verdict([None, True]) == "true", "an untried part does not count"
assert verdict([None, False]) == "false", "an untried part does not count"
assert verdict([None, None]) == "not run", "nothing was tried"
assert verdict([]) == "not run", "nothing was tried"
# END HIDDEN TESTS
