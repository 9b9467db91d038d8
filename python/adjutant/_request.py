"""Python values as the inputs of a chart."""

from __future__ import annotations

import operator
from fractions import Fraction
from math import isfinite
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from ._errors import InputError

#: What an input may be given as.
Input = Union[str, int, float, bool, Fraction, Mapping[str, Any], Iterable[Mapping[str, Any]]]


#: The most samples of one call.
MOST_SAMPLES = 10**12
#: The largest seed.
MOST_SEED = 2**64 - 1
#: The most threads of one call.
MOST_THREADS = 1024


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number between these, also one of numpy."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise InputError(f"{name}: {number} is not accepted: a whole number from {least} to {most}")
    return number


def _numbers(name: str, values: Iterable[Any]) -> List[int]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is a list of card numbers, not {type(values).__name__}")
    return [whole(name, value, 0, 2**32 - 1) for value in values]


def text(value: Any) -> str:
    """A value as players write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, Fraction)):
        return str(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise InputError(f"{value} is not a number that a chart can use")
        return str(Fraction(repr(float(value))))
    try:  # numbers of numpy
        return text(value.item())
    except AttributeError:
        raise TypeError(f"a value is a text, a number, True or False, not {type(value).__name__}") from None


def flat(given: Mapping[str, Any], before: str = "") -> Dict[str, str]:
    """`{"firer": {"hesa": 6}}` as `{"firer.hesa": "6"}`; a list of units is numbered from 1."""
    if not isinstance(given, Mapping):
        raise TypeError(f"inputs are a mapping of names and values, not {type(given).__name__}")
    found: Dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, Mapping):
            found.update(flat(value, f"{before}{name}."))
        elif isinstance(value, (list, tuple)):
            for number, member in enumerate(value, 1):
                found.update(flat({str(number): member}, f"{before}{name}."))
        elif value is None:
            raise TypeError(f"{before}{name} is None: leave out what is not known")
        else:
            found[f"{before}{name}"] = text(value)
    return found


def _answers(given: Optional[Mapping[str, Any]]) -> Dict[str, List[str]]:
    """Answers by key; a list answers a question that comes up several times."""
    def several(value: Any) -> List[str]:
        return [text(one) for one in value] if isinstance(value, (list, tuple)) else [text(value)]

    return {key: several(value) for key, value in (given or {}).items()}


def query(
    pack: str,
    inputs: Optional[Mapping[str, Any]],
    more: Mapping[str, Any],
    *,
    chart: str = "",
    fight: str = "",
    options: Optional[Mapping[str, Any]] = None,
    memory: Optional[Mapping[str, Any]] = None,
    answers: Optional[Mapping[str, Any]] = None,
    gone: Iterable[int] = (),
    hand: Iterable[int] = (),
    dice: Optional[Iterable[Any]] = None,
    cards: Optional[Iterable[int]] = None,
    seed: Optional[int] = None,
    follow: bool = False,
) -> Dict[str, Any]:
    """The request about a chart or a fight."""
    asked: Dict[str, Any] = {
        "pack": pack,
        "given": {**flat(inputs or {}), **flat(more)},
        "options": flat(options or {}),
        "memory": flat(memory or {}),
        "answers": _answers(answers),
        "gone": _numbers("gone", gone),
        "hand": _numbers("hand", hand),
        "follow": bool(follow),
    }
    if chart:
        asked["chart"] = chart
    if fight:
        asked["fight"] = fight
    if dice is not None:
        if isinstance(dice, str) or not isinstance(dice, Iterable):
            raise TypeError("dice is a list of faces, such as [7, 3]")
        asked["dice"] = [text(face) for face in dice]
    if cards is not None:
        asked["cards"] = _numbers("cards", cards)
    if seed is not None:
        asked["seed"] = whole("seed", seed, 0, MOST_SEED)
    return asked


def axes(over: Mapping[str, Any]) -> List[Dict[str, Any]]:
    """The inputs that vary: `{"firer.hesa": range(1, 9)}`, or a text such as `"1..8"`."""
    def values(given: Any) -> Any:
        if isinstance(given, str):
            return given
        return [text(value) for value in given] if isinstance(given, Iterable) else [text(given)]

    return [{"input": name, "values": values(given)} for name, given in _flat_axes(over).items()]


def _flat_axes(over: Mapping[str, Any], before: str = "") -> Dict[str, Any]:
    if not isinstance(over, Mapping):
        raise TypeError(f'what varies is a mapping such as {{"firer.hesa": range(1, 9)}}, not {type(over).__name__}')
    found: Dict[str, Any] = {}
    for name, values in over.items():
        if isinstance(values, Mapping):
            found.update(_flat_axes(values, f"{before}{name}."))
        else:
            found[f"{before}{name}"] = values
    return found
