"""The parameters of a chapter: what a reader may change in its first cell, checked before anything runs.

A chapter's first code cell has the tag `parameters` and sets plain names; the next one checks them:

    profile = "full"     # "small" ends in minutes
    epochs = None        # None: what the profile says
    ...

    from helpers.parameters import chapter_parameters
    params = chapter_parameters(globals())
"""

import ast
import difflib
import os
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from helpers.errors import ParameterError

PROFILE_VARIABLE = "WORKBOOK_PROFILE"

PROFILES: dict[str, dict[str, int | None]] = {
    "small": {"epochs": 2, "train_size": 512, "test_size": 256, "batch_size": 64},
    "full": {"epochs": 10, "train_size": None, "test_size": None, "batch_size": 64},
}
_OTHER_DEFAULTS = {"device": "auto", "seed": 0}
# The comment that papermill puts on top of the cell it injects.
_INJECTED = "# Parameters"
_PLAIN = (bool, int, float, str, list, tuple, dict, type(None))
# Names that IPython itself puts into a notebook's namespace.
_IPYTHON_NAMES = frozenset({"In", "Out", "exit", "quit", "get_ipython", "open"})

AtLeastOne = Annotated[int, Field(ge=1)]


class Parameters(BaseModel):
    """The checked parameters of one chapter.

    Attributes:
        profile: "small" ends in minutes on two cores, "full" uses all of the data.
        epochs: Passes over the training images.
        train_size: Training images used; None for all there are.
        test_size: Test images used; None for all there are.
        batch_size: Images a step.
        device: "auto" takes a GPU where the engine can use one.
        seed: Decides the initial weights and the order of the images.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    profile: Literal["small", "full"]
    epochs: AtLeastOne
    train_size: AtLeastOne | None
    test_size: AtLeastOne | None
    batch_size: AtLeastOne
    device: Literal["auto", "cpu", "cuda"]
    seed: Annotated[int, Field(ge=0)]


KNOWN = tuple(Parameters.model_fields)

_MEANING = {
    "profile": '"small" or "full"',
    "epochs": "a whole number from 1 up",
    "train_size": "a whole number from 1 up",
    "test_size": "a whole number from 1 up",
    "batch_size": "a whole number from 1 up",
    "device": '"auto", "cpu" or "cuda"',
    "seed": "a whole number from 0 up",
}


def chapter_parameters(
    namespace: Mapping[str, Any],
    *,
    small: Mapping[str, int | None] | None = None,
    full: Mapping[str, int | None] | None = None,
) -> Parameters:
    """Check the names that the parameters cell set and fill in what it left at None.

    Call it in the cell right below the parameters cell, before that cell sets plain names of its own.

    Args:
        namespace: The notebook's `globals()`.
        small: This chapter's own defaults in the small profile, where they differ from `PROFILES`.
        full: The same for the full profile.

    Returns:
        The parameters. The environment variable `WORKBOOK_PROFILE`, where set, decides the profile.

    Raises:
        ParameterError: A name is not a parameter, or a value cannot be used.
    """
    check_names(_names_set(namespace))
    profile = _profile(namespace.get("profile"))
    chapter = {"small": small, "full": full}[profile] or {}
    check_names(chapter)
    defaults: dict[str, Any] = {**_OTHER_DEFAULTS, **PROFILES[profile], **chapter}
    given = {name: namespace[name] for name in KNOWN if namespace.get(name) is not None}
    return _validated({**defaults, **given, "profile": profile})


def check_names(names: Iterable[str]) -> None:
    """Refuse names that are not parameters.

    Raises:
        ParameterError: Names the first unknown one and the parameter it is most like.
    """
    for name in names:
        if name not in KNOWN:
            near = difflib.get_close_matches(name, KNOWN, n=1)
            guess = f"did you mean `{near[0]}`?" if near else f"the parameters are {', '.join(KNOWN)}."
            raise ParameterError(f"There is no parameter `{name}`: {guess}")


def parse_parameters(pairs: Iterable[str]) -> dict[str, Any]:
    """Turn `name=value` words of a command line into parameters.

    Numbers, `None`, `true` and `false` are read as such, anything else is a string.

    Raises:
        ParameterError: A word has no `=`, an unknown name or a value that cannot be used.
    """
    values: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name = name.strip()
        if not equals or not name:
            raise ParameterError(f"`{pair}` is not a parameter: write it as name=value, such as epochs=3.")
        check_names([name])
        values[name] = _literal(text.strip())
    given = {name: value for name, value in values.items() if value is not None}
    _validated({**_OTHER_DEFAULTS, **PROFILES["small"], "profile": "small", **given})
    return values


def _literal(text: str) -> Any:
    named = {"none": None, "true": True, "false": False}
    if text.lower() in named:
        return named[text.lower()]
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, (int, float, str)) else text


def _profile(chosen: Any) -> str:
    from_environment = os.environ.get(PROFILE_VARIABLE)
    if from_environment and from_environment not in PROFILES:
        raise ParameterError(
            f"The environment variable {PROFILE_VARIABLE} is {from_environment!r}: "
            f"set it to {_MEANING['profile']}, or unset it."
        )
    profile = from_environment or ("full" if chosen is None else chosen)
    if not isinstance(profile, str) or profile not in PROFILES:
        raise ParameterError(f"Parameter `profile` is {profile!r}: set it to {_MEANING['profile']}.")
    return profile


def _validated(values: dict[str, Any]) -> Parameters:
    try:
        return Parameters(**values)
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        raise ParameterError(
            f"Parameter `{name}` is {values[name]!r}: set it to {_MEANING[name]}"
            + ("." if name == "profile" else ", or leave it at None.")
        ) from None


def _names_set(namespace: Mapping[str, Any]) -> list[str]:
    """Return the names that parameter cells set.

    A notebook that ran for a while holds many other plain names. So where IPython kept the cells' texts, only the
    last parameters cell and those that papermill injected after it count.
    """
    cells = [cell for cell in namespace.get("In", []) if isinstance(cell, str)]
    start = max((i for i, cell in enumerate(cells) if _is_parameters_cell(cell)), default=None)
    if start is None:
        return _plain_names(namespace)
    following = [cell for cell in cells[start + 1 :] if cell.startswith(_INJECTED)]
    return [name for cell in (cells[start], *following) for name in _assigned(cell)]


def _plain_names(namespace: Mapping[str, Any]) -> list[str]:
    return [
        name
        for name, value in namespace.items()
        if not name.startswith("_") and name not in _IPYTHON_NAMES and isinstance(value, _PLAIN)
    ]


def _is_parameters_cell(cell: str) -> bool:
    return not cell.startswith(_INJECTED) and "profile" in _assigned(cell)


def _assigned(cell: str) -> list[str]:
    """Return the names that a cell assigns at its top level; none for a cell that is not plain Python."""
    try:
        statements = ast.parse(cell).body
    except SyntaxError:
        return []
    targets: list[ast.expr] = []
    for statement in statements:
        if isinstance(statement, ast.Assign):
            targets += statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets.append(statement.target)
    return [target.id for target in targets if isinstance(target, ast.Name)]
