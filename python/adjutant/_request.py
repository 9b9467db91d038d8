"""Python values as the inputs of a chart."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

#: What an input may be given as.
Input = Union[str, int, float, bool, Fraction, Mapping[str, Any], Iterable[Mapping[str, Any]]]


def text(value: Any) -> str:
    """A value as players write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, Fraction)):
        return str(value)
    if isinstance(value, float):
        return str(Fraction(repr(value)))
    try:  # numbers of numpy
        return text(value.item())
    except AttributeError:
        raise TypeError(f"a value is a text, a number, True or False, not {type(value).__name__}") from None


def flat(given: Mapping[str, Any], before: str = "") -> Dict[str, str]:
    """`{"firer": {"hesa": 6}}` as `{"firer.hesa": "6"}`; a list of units is numbered from 1."""
    found: Dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, Mapping):
            found.update(flat(value, f"{before}{name}."))
        elif isinstance(value, (list, tuple)):
            for number, member in enumerate(value, 1):
                found.update(flat({str(number): member}, f"{before}{name}."))
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
        "gone": [int(card) for card in gone],
        "hand": [int(card) for card in hand],
        "follow": bool(follow),
    }
    if chart:
        asked["chart"] = chart
    if fight:
        asked["fight"] = fight
    if dice is not None:
        asked["dice"] = [text(face) for face in dice]
    if cards is not None:
        asked["cards"] = [int(card) for card in cards]
    if seed is not None:
        asked["seed"] = int(seed)
    return asked


def axes(over: Mapping[str, Any]) -> List[Dict[str, Any]]:
    """The inputs that vary: `{"firer.hesa": range(1, 9)}`, or a text such as `"1..8"`."""
    def values(given: Any) -> Any:
        return given if isinstance(given, str) else [text(value) for value in given]

    return [{"input": name, "values": values(given)} for name, given in _flat_axes(over).items()]


def _flat_axes(over: Mapping[str, Any], before: str = "") -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for name, values in over.items():
        if isinstance(values, Mapping):
            found.update(_flat_axes(values, f"{before}{name}."))
        else:
            found[f"{before}{name}"] = values
    return found
