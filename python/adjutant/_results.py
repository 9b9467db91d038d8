"""Rolls, fights, samples and cards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._html import bar, percent, short, table
from ._odds import mean_of, number


class Roll:
    """A chart that was rolled. `data` is the JSON that the command prints: every die, modifier, row and effect."""

    def __init__(self, data: Mapping[str, Any], title: str) -> None:
        self.data = data
        self.title = title

    @property
    def result(self) -> Optional[str]:
        """The id of the result."""
        found = self.data.get("result")
        return found["id"] if found else None

    @property
    def result_title(self) -> Optional[str]:
        """The result as the sheet prints it."""
        found = self.data.get("result")
        return found["title"] if found else None

    @property
    def value(self) -> Any:
        """The number that the chart gives, if any."""
        found = self.data.get("value")
        return None if found is None else number(found)

    @property
    def dice(self) -> List[int]:
        """Every face that was rolled, in order."""
        return [face for step in self.data.get("steps", []) for face in step.get("faces", []) or []]

    def __repr__(self) -> str:
        outcome = self.result_title if self.result_title is not None else self.value
        return f"{self.title}: {outcome}"

    def _repr_html_(self) -> str:
        rows: List[Sequence[Any]] = []
        for step in self.data["steps"]:
            faces = [str(face) for face in [*(step.get("faces") or []), *(step.get("card_titles") or [])]]
            counted = [m for m in step.get("modifiers", []) if m.get("counted") and m.get("value") not in (None, 0)]
            sums = [f"{m['label']} {_signed(m['value'])}" for m in counted]
            total = step.get("total")
            total = number(total) if isinstance(total, (int, str)) and not isinstance(total, bool) else ""
            rows.append((step.get("title", ""), ", ".join(faces), "; ".join(sums), total))
        return table(repr(self), ["step", "rolled", "modifiers", "total"], rows)


def _signed(value: Any) -> str:
    text = str(value)
    return text if text.startswith("-") else f"+{text}"


def chance_of(share: Mapping[str, Any]) -> Union[Fraction, float]:
    """A chance of a fight: a fraction where it is exact, else a decimal number."""
    return Fraction(share["exact"]) if share["exact"] is not None else float(share["percent"]) / 100


class FightOdds:
    """What to expect of a fight. Chances are fractions if `exact`, else decimal numbers."""

    def __init__(self, data: Mapping[str, Any], title: str) -> None:
        self.data = data
        self.title = title
        #: Whether every chance is an exact fraction.
        self.exact: bool = data["exact"]
        #: The chance of each way it can be decided, by id.
        self.ends: Dict[str, Union[Fraction, float]] = {end["id"]: chance_of(end["chance"]) for end in data["ends"]}
        #: The chance that it is never decided.
        self.never = chance_of(data["never"])
        #: How many rounds it takes on average; None if it may never end.
        self.rounds = mean_of(data["rounds"])
        #: How many units each side loses on average, by id.
        self.lost = {side["id"]: mean_of(side["lost"]) for side in data["sides"]}
        #: The chance of each number of units left, by side.
        self.left = {
            side["id"]: {left["units"]: chance_of(left["chance"]) for left in side["left"]} for side in data["sides"]
        }
        #: How many fights were simulated; None if the chances were computed.
        self.samples: Optional[int] = data.get("samples")

    def rows(self) -> List[Dict[str, Any]]:
        """One row for each way it can be decided."""
        return [{"id": e["id"], "title": e["title"], "chance": self.ends[e["id"]]} for e in self.data["ends"]]

    def __repr__(self) -> str:
        lines = [f"  {row['title']:<24} {percent(row['chance']):>9}" for row in self.rows()]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        rows = [(row["title"], percent(row["chance"]), bar(row["chance"]), row["chance"]) for row in self.rows()]
        lost = [f"{side['title']} lose {short(self.lost[side['id']])} of {side['began']}" for side in self.data["sides"]]
        rounds = [f"{short(self.rounds)} rounds"] if self.rounds is not None else []
        counted = [f"simulated {self.samples} times"] if self.samples else []
        return table(self.title, ["decision", "chance", "", "exactly"], rows, "; ".join([*rounds, *lost, *counted]))


class FightTable(List[Dict[str, Any]]):
    """A fight over one or two inputs: one row for each cell. `pandas.DataFrame` takes it."""

    def __init__(self, data: Mapping[str, Any], title: str) -> None:
        super().__init__(_fight_rows(data))
        self.data = data
        self.title = title

    def floats(self) -> List[Dict[str, Any]]:
        """The rows with decimal numbers instead of fractions."""
        return [{k: float(v) if isinstance(v, Fraction) else v for k, v in row.items()} for row in self]

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with decimal numbers."""
        import pandas

        return pandas.DataFrame(self.floats())

    def _repr_html_(self) -> str:
        heads = list(dict.fromkeys(key for row in self for key in row))
        varied = set(self.data["cells"][0]["at"]) if self.data["cells"] else set()
        def shown(key: str, value: Any) -> Any:
            if key == "rounds" and value is not None:
                return round(float(value), 2)
            is_chance = key not in varied and isinstance(value, (Fraction, float))
            return percent(value) if is_chance else _or_blank(value)
        return table(self.title, heads, [[shown(h, row.get(h, "")) for h in heads] for row in self])


def _fight_rows(data: Mapping[str, Any]) -> List[Dict[str, Any]]:
    rows = []
    for cell in data["cells"]:
        row: Dict[str, Any] = {}
        for name, value in cell["at"].items():
            try:
                row[name] = number(value)
            except ValueError:
                row[name] = value
        row.update({end["title"]: chance_of(end["chance"]) for end in cell["ends"]})
        row["rounds"] = mean_of(cell["rounds"])
        rows.append(row)
    return rows


class Sample:
    """How often each outcome came. `counts` is a numpy array if numpy is there, else a list."""

    def __init__(self, data: Mapping[str, Any], title: str) -> None:
        self.data = data
        self.title = title
        self.samples: int = data["samples"]
        self.seed: int = data["seed"]
        #: The ids of the outcomes, in the order of `counts`.
        self.ids: Sequence[str] = tuple(outcome["id"] for outcome in data["outcomes"])
        #: The outcomes as the sheet prints them.
        self.titles: Sequence[str] = tuple(outcome["title"] for outcome in data["outcomes"])

    @property
    def counts(self) -> Any:
        """The counts, in the order of `ids`."""
        return _array([outcome["count"] for outcome in self.data["outcomes"]], "int64")

    @property
    def shares(self) -> Any:
        """The counts as parts of all samples."""
        return _array([outcome["share"] for outcome in self.data["outcomes"]], "float64")

    def rows(self) -> List[Dict[str, Any]]:
        """One row for each outcome: count, share, 95 % interval, and the exact chance where it is known."""
        return [
            {
                "id": o["id"],
                "title": o["title"],
                "count": o["count"],
                "share": o["share"],
                "low": o["interval_95"][0],
                "high": o["interval_95"][1],
                "chance": chance_of(o["chance"]) if o["chance"] else None,
            }
            for o in self.data["outcomes"]
        ]

    def __repr__(self) -> str:
        lines = [f"  {row['title']:<24} {row['count']:>12}" for row in self.rows()]
        return "\n".join([f"{self.title}: {self.samples} samples with seed {self.seed}", *lines])

    def _repr_html_(self) -> str:
        rows = [(r["title"], r["count"], percent(r["share"]), bar(r["share"]), _or_blank(r["chance"])) for r in self.rows()]
        below = f"{self.samples} samples with seed {self.seed}"
        return table(self.title, ["outcome", "count", "share", "", "exactly"], rows, below)


def _or_blank(value: Any) -> Any:
    return "" if value is None else value


def _array(values: List[Any], kind: str) -> Any:
    try:
        import numpy
    except ImportError:
        return values
    return numpy.array(values, dtype=kind)


class Cards(List[Mapping[str, Any]]):
    """Cards that were drawn, each with its number, title and fields."""

    def __init__(self, data: Mapping[str, Any], title: str) -> None:
        super().__init__(data["cards"])
        self.data = data
        self.title = title
        #: How many cards are left in the deck.
        self.left: int = data["left"]
        #: Whether the deck ran out and was reshuffled on the way.
        self.reshuffled: bool = data["reshuffled"]

    def _repr_html_(self) -> str:
        def shown(value: Any) -> str:
            if isinstance(value, Mapping):
                return ", ".join(f"{key}: {shown(one)}" for key, one in value.items())
            return "" if value is None else str(value)
        rows = [(card["card"], card["title"], shown(card["fields"])) for card in self]
        return table(self.title, ["card", "title", "fields"], rows, f"{self.left} cards are left")
