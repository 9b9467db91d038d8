"""Exact chances of a chart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._errors import InputError
from ._html import bar, percent, points, table

Number = Union[int, Fraction]


def number(value: Union[int, str]) -> Number:
    """A number of the engine: a whole number, or a fraction as text."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else exact


def fraction(chance: Mapping[str, Any]) -> Fraction:
    """An exact chance."""
    return Fraction(chance["exact"])


def mean_of(mean: Optional[Mapping[str, Any]]) -> Union[Fraction, float, None]:
    """A mean: exact where that is known."""
    if mean is None:
        return None
    return Fraction(mean["exact"]) if mean["exact"] is not None else float(mean["value"])


@dataclass(frozen=True)
class Outcome:
    """A result and its chance."""

    id: str
    title: str
    chance: Fraction
    #: The role it applies to, if the chart says so.
    on: Optional[str] = None
    #: The chart that gives it, if that is not the first of the chain.
    chart: Optional[str] = None
    #: The unit, if the chart runs for several.
    of: Optional[str] = None


@dataclass(frozen=True)
class Value:
    """A number that the chart gives, and its chance."""

    value: Number
    chance: Fraction
    at_least: Fraction
    at_most: Fraction


class Branch:
    """The chances that hold if the open questions are answered in one way."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        #: The answers to the open questions.
        self.answers: Mapping[str, Any] = data.get("answers", {})
        #: The results in the order of the sheet.
        self.results: Sequence[Outcome] = tuple(_outcome(entry) for entry in data["results"])
        #: The numbers, in ascending order.
        self.values: Sequence[Value] = tuple(
            Value(number(v["value"]), fraction(v["chance"]), fraction(v["at_least"]), fraction(v["at_most"]))
            for v in data["values"]
        )
        #: Results that can come in addition.
        self.also: Sequence[Outcome] = tuple(_outcome(entry) for entry in data["also"])

    @property
    def mean(self) -> Optional[Fraction]:
        """The mean of the numbers, if the chart gives any."""
        found = self.data["mean"]
        return Fraction(found["exact"]) if found else None

    @property
    def distribution(self) -> Dict[Union[str, Number], Fraction]:
        """Chances by the id of the result; by number where the chart gives no results."""
        if not self.results:
            return {value.value: value.chance for value in self.values}
        found: Dict[Union[str, Number], Fraction] = {}
        for outcome in self.results:
            found[outcome.id] = found.get(outcome.id, Fraction(0)) + outcome.chance
        return found

    def chance(self, what: Union[str, Number]) -> Fraction:
        """The chance of a result, by its id, or of a number."""
        known = self.distribution
        if what not in known and isinstance(what, str):
            also = [outcome.chance for outcome in self.also if outcome.id == what]
            if also:
                return sum(also, Fraction(0))
            names = ", ".join(str(name) for name in known)
            raise InputError(f"no result `{what}` can come here; these can: {names}")
        return known.get(what, Fraction(0))

    def rows(self) -> List[Dict[str, Any]]:
        """One row for each result, else for each number. `pandas.DataFrame` takes them."""
        if not self.results:
            return [
                {"value": v.value, "chance": v.chance, "at_least": v.at_least, "at_most": v.at_most}
                for v in self.values
            ]
        return [{"id": o.id, "title": o.title, "on": o.on, "chance": o.chance} for o in self.results]


def _outcome(entry: Mapping[str, Any]) -> Outcome:
    return Outcome(
        entry["id"], entry["title"], fraction(entry["chance"]), entry.get("on"), entry.get("chart"), entry.get("of")
    )


class Odds:
    """The exact chances of a chart. `data` is the JSON that the command prints."""

    def __init__(self, data: Mapping[str, Any], title: str, plot: Any = None) -> None:
        self.data = data
        self.title = title
        self._plot = plot
        #: One for each way in which the open questions can be answered.
        self.branches: Sequence[Branch] = tuple(Branch(branch) for branch in data["branches"])

    @property
    def _only(self) -> Branch:
        if len(self.branches) == 1:
            return self.branches[0]
        keys = ", ".join(sorted({key for branch in self.branches for key in branch.answers}))
        raise InputError(f"the odds depend on answers ({keys}): give `answers`, or use `branches`")

    @property
    def results(self) -> Sequence[Outcome]:
        """The results in the order of the sheet."""
        return self._only.results

    @property
    def values(self) -> Sequence[Value]:
        """The numbers that the chart gives, in ascending order."""
        return self._only.values

    @property
    def mean(self) -> Optional[Fraction]:
        """The mean of the numbers, if the chart gives any."""
        return self._only.mean

    @property
    def distribution(self) -> Dict[Union[str, Number], Fraction]:
        """Chances by the id of the result; by number where the chart gives no results."""
        return self._only.distribution

    def chance(self, what: Union[str, Number]) -> Fraction:
        """The chance of a result, by its id, or of a number."""
        return self._only.chance(what)

    def rows(self) -> List[Dict[str, Any]]:
        """One row for each result, else for each number. `pandas.DataFrame` takes them."""
        return self._only.rows()

    def plot(self) -> Plot:
        """The chances as a picture: a bar for each result or number."""
        if self._plot is None:
            raise InputError("these odds are a part of another answer: ask for them alone to draw them")
        return Plot(self._plot())

    def __repr__(self) -> str:
        lines = []
        for branch in self.branches:
            if branch.answers:
                lines.append("if " + " and ".join(f"{key} = {value}" for key, value in branch.answers.items()))
            lines += [f"{name:<24} {percent(chance):>9}  {chance}" for name, chance in _named(branch)]
        return "\n".join([self.title, *("  " + line for line in lines)])

    def _repr_html_(self) -> str:
        parts = []
        for branch in self.branches:
            given = ", ".join(f"{key} = {value}" for key, value in branch.answers.items())
            title = f"{self.title}, if {given}" if given else self.title
            mean = f"mean {branch.mean} = {float(branch.mean):.3f}" if branch.mean is not None else ""
            rows = [(name, percent(chance), bar(chance), chance) for name, chance in _named(branch)]
            parts.append(table(title, ["result", "chance", "", "exactly"], rows, mean))
        return "".join(parts)


def _named(branch: Branch) -> List[Any]:
    if not branch.results:
        return [(str(value.value), value.chance) for value in branch.values]
    def name(outcome: Outcome) -> str:
        of = f"{outcome.of}: " if outcome.of else ""
        return of + outcome.title + (f" ({outcome.on})" if outcome.on else "")
    return [(name(outcome), outcome.chance) for outcome in branch.results]


class ModifierOdds:
    """The chances now, and if each input that does not hold now did."""

    def __init__(self, data: Mapping[str, Any], title: str) -> None:
        self.data = data
        #: The chances now.
        self.now = Odds(data["now"], title)
        #: The chances by input.
        self.changes: Mapping[str, Odds] = {
            change["input"]: Odds(change["odds"], f"{title}: {change['label']}") for change in data["changes"]
        }

    def rows(self) -> List[Dict[str, Any]]:
        """One row for each input that would change something, with the change of each chance."""
        before = self.now.distribution
        rows = []
        for name, odds in self.changes.items():
            after = odds.distribution
            both = list(dict.fromkeys([*before, *after]))
            moved = {str(key): after.get(key, Fraction(0)) - before.get(key, Fraction(0)) for key in both}
            rows.append({"input": name, **moved})
        return rows

    def __repr__(self) -> str:
        labels = {change["input"]: change["label"] for change in self.data["changes"]}
        lines = [
            f"{labels[row['input']]:<24} " + ", ".join(f"{key} {points(moved)}" for key, moved in row.items() if key != "input")
            for row in self.rows()
        ]
        return "\n".join([repr(self.now), "  What would change", *("  " + line for line in lines)])

    def _repr_html_(self) -> str:
        labels = {change["input"]: change["label"] for change in self.data["changes"]}
        names = {str(outcome.id): outcome.title for odds in (self.now, *self.changes.values()) for outcome in odds.results}
        changes = self.rows()
        ids = list(dict.fromkeys(key for row in changes for key in row if key != "input"))
        rows = [[labels[row["input"]], *(points(row.get(id, 0)) for id in ids)] for row in changes]
        return self.now._repr_html_() + table("What would change", ["if", *(names.get(id, id) for id in ids)], rows)


class Series:
    """How often each result comes in several checks."""

    def __init__(self, data: Mapping[str, Any], title: str) -> None:
        self.data = data
        self.title = title
        self.times: int = data["times"]

    def rows(self) -> List[Dict[str, Any]]:
        """One row for each result and number of times."""
        return [
            {
                "id": result["id"],
                "title": result["title"],
                "times": count["times"],
                "chance": fraction(count["chance"]),
                "at_least": fraction(count["at_least"]),
            }
            for branch in self.data["branches"]
            for result in branch["results"]
            for count in result["counts"]
        ]

    def __repr__(self) -> str:
        lines = [f"  {r['title']:<24} {r['times']:>3} times {percent(r['chance']):>9}" for r in self.rows()]
        return "\n".join([f"{self.title}, {self.times} times", *lines])

    def _repr_html_(self) -> str:
        rows = [(r["title"], r["times"], percent(r["chance"]), percent(r["at_least"])) for r in self.rows()]
        return table(f"{self.title}, {self.times} times", ["result", "times", "chance", "at least"], rows)


class Plot:
    """A picture of chances, as SVG. Notebooks show it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def __repr__(self) -> str:
        return f"<adjutant.Plot, {len(self.svg)} bytes of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Any) -> None:
        """Writes the picture into a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class OddsTable(List[Dict[str, Any]]):
    """Chances over one or two inputs: one row for each cell, with the inputs and a `Fraction` for each result.

    It is a list of dicts, so `pandas.DataFrame(table)` takes it; `to_pandas()` makes one with decimal numbers.
    """

    def __init__(self, data: Mapping[str, Any], title: str, plot: Any) -> None:
        super().__init__(_table_rows(data))
        self.data = data
        self.title = title
        self._plot = plot

    def plot(self) -> Plot:
        """The table as a picture: bars over one input, a heat map over two."""
        return Plot(self._plot())

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
            return percent(value) if isinstance(value, Fraction) and key not in varied and key != "mean" else value
        return table(self.title, heads, [[shown(h, row.get(h, "")) for h in heads] for row in self])

    def _repr_svg_(self) -> str:
        return self.plot().svg


def _place(text: str) -> Union[str, Number]:
    try:
        return number(text)
    except ValueError:
        return text


def _table_rows(data: Mapping[str, Any]) -> List[Dict[str, Any]]:
    rows = []
    for cell in data["cells"]:
        row: Dict[str, Any] = {name: _place(value) for name, value in cell["at"].items()}
        for result in cell["results"]:
            name = result["title"] + (f" ({result['on']})" if result["on"] else "")
            row[name] = row.get(name, Fraction(0)) + fraction(result["chance"])
        if not cell["results"]:
            row.update({str(v["value"]): fraction(v["chance"]) for v in cell.get("values", [])})
        if cell.get("mean"):
            row["mean"] = Fraction(cell["mean"]["exact"])
        rows.append(row)
    return rows
