"""Packs, and what can be asked of their charts and fights."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from . import _native
from ._errors import Fault, InputError, error_of, faults_of
from ._html import table
from ._odds import ModifierOdds, Odds, OddsTable, Series
from ._request import MOST_SAMPLES, MOST_SEED, MOST_THREADS, axes, query, whole
from ._results import Cards, FightOdds, FightTable, Roll, Sample

#: Where a pack comes from: an id, a folder, a `.adjutant` bundle, or the text of `pack.toml`.
Source = Union[str, "os.PathLike[str]"]


def packs() -> List[str]:
    """The ids of the packs that come with Adjutant."""
    return _native.pack_ids()


def load(
    source: Optional[Source] = None,
    *,
    text: Optional[str] = None,
    files: Optional[Mapping[str, str]] = None,
    tables: Optional[Source] = None,
) -> "Pack":
    """Loads a pack.

    `source` is the id of a pack that comes with Adjutant (`"panzer8"`), a folder, a bundle (`NAME.adjutant`), or the
    text of a `pack.toml`. `text` and `files` (by name) give the pack itself. `tables` is a file with the tables that
    a pack leaves to its user, or its text.

    A pack with faults raises `PackError`, which lists every fault.
    """
    if [source, text, files].count(None) != 2:
        raise TypeError("give one of: a name or path, text=…, files=…")
    own = _text_of(tables) if tables is not None else None
    found: Optional[_native.Pack]
    if files is not None:
        found, fault = _native.load(json.dumps({"files": dict(files)}), own)
    elif text is not None or (isinstance(source, str) and "\n" in source):
        found, fault = _native.load(json.dumps({"text": text if text is not None else source}), own)
    else:
        found, fault = _load_named(source, own)
    if found is None:
        raise error_of(json.loads(fault))
    return Pack(found)


def _load_named(source: Any, own: Optional[str]) -> Any:
    if isinstance(source, str) and source in packs():
        return _native.load(json.dumps({"id": source}), own)
    path = Path(source)
    if path.name == "pack.toml":
        path = path.parent
    if path.is_dir():
        return _native.load_folder(path, own)
    if path.suffix == ".adjutant":
        return _native.load(json.dumps({"text": path.read_text(encoding="utf-8")}), own)
    return _native.load(json.dumps({"id": os.fspath(source)}), own)


def _text_of(tables: Source) -> str:
    if isinstance(tables, str) and "\n" in tables:
        return tables
    return Path(tables).read_text(encoding="utf-8")


class Check:
    """What a check found in a pack."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        #: Whether it has no faults.
        self.sound: bool = data["sound"]
        #: Every fault, with its file, line and column.
        self.faults: Sequence[Fault] = faults_of(data["faults"])

    def __bool__(self) -> bool:
        return self.sound

    def __repr__(self) -> str:
        return "sound" if self.sound else "\n".join(str(fault) for fault in self.faults)

    def _repr_html_(self) -> str:
        rows = [(fault.file, fault.line or "", fault.column or "", fault.message, fault.remedy) for fault in self.faults]
        return table("sound" if self.sound else "faults", ["file", "line", "column", "fault", "help"], rows)


def check(source: Union[Source, Mapping[str, str]]) -> Check:
    """Checks a pack and its cases without loading it: a folder, the text of `pack.toml`, or files by name."""
    if isinstance(source, Mapping):
        files = dict(source)
    elif isinstance(source, str) and "\n" in source:
        files = {"pack.toml": source}
    else:
        folder = Path(source)
        folder = folder.parent if folder.name == "pack.toml" else folder
        names = [path for path in sorted(folder.iterdir()) if path.suffix in (".toml", ".csv")]
        files = {path.name: path.read_text(encoding="utf-8") for path in names}
    return Check(json.loads(_native.check(files)))


class Pack:
    """The charts, fights and decks of a game. `data` is the pack as data."""

    def __init__(self, native: _native.Pack) -> None:
        self._native = native
        self.data: Mapping[str, Any] = self.ask({"show": {}})

    def ask(self, request: Mapping[str, Any], *, threads: Optional[int] = None) -> Any:
        """Sends a request as data and returns the answer as data: what all other methods do.

        A simulation runs on all cores of the machine, or on so many `threads`. A seed gives the same counts for any
        number of them. Other Python threads go on meanwhile, and Ctrl-C stops the work.
        """
        if threads is not None:
            threads = whole("threads", threads, 1, MOST_THREADS)
        answer = json.loads(self._native.ask(json.dumps(request), threads))
        if "fault" in answer:
            raise error_of(answer["fault"])
        return answer["ok"]

    @property
    def id(self) -> str:
        """The id of the pack."""
        return str(self.data["id"])

    @property
    def title(self) -> str:
        """The name of the game."""
        return str(self.data["title"])

    @property
    def charts(self) -> List[str]:
        """The ids of the charts."""
        return [chart["id"] for chart in self.data["charts"]]

    @property
    def fights(self) -> List[str]:
        """The ids of the fights."""
        return [fight["id"] for fight in self.data["fights"]]

    @property
    def decks(self) -> List[str]:
        """The ids of the decks of cards."""
        return [deck["id"] for deck in self.data["decks"]]

    def chart(self, id: str) -> "Chart":
        """A chart by its id."""
        return Chart(self, id, self._shown(id, "chart"))

    def fight(self, id: str) -> "Fight":
        """A fight by its id."""
        return Fight(self, id, self._shown(id, "fight"))

    def show(self, name: Optional[str] = None) -> Mapping[str, Any]:
        """The pack, or one of its charts or fights, as data."""
        shown: Mapping[str, Any] = self.ask({"show": {} if name is None else {"name": name}})
        return shown

    def _shown(self, id: str, kind: str) -> Mapping[str, Any]:
        known = self.charts if kind == "chart" else self.fights
        if id in known:
            return self.show(id)
        # The engine's error has near names.
        shown: Mapping[str, Any] = self.ask({"odds" if kind == "chart" else "fight": _nameless(self.id, kind, id)})
        return shown

    def draw(self, deck: str, count: int = 1, *, gone: Iterable[int] = (), seed: Optional[int] = None) -> Cards:
        """Draws cards from a deck. A deck that runs out is reshuffled."""
        asked: Dict[str, Any] = {"deck": deck, "count": whole("count", count, 1, 2**32 - 1), "gone": list(gone)}
        if seed is not None:
            asked["seed"] = whole("seed", seed, 0, MOST_SEED)
        return Cards(self.ask({"draw": asked}), deck)

    def bundle(self) -> str:
        """The pack as the text of one file, `NAME.adjutant`."""
        answer = json.loads(self._native.bundle())
        if "fault" in answer:
            raise error_of(answer["fault"])
        return str(answer["ok"])

    def __repr__(self) -> str:
        return f"<adjutant.Pack {self.id}: {self.title}, {len(self.charts)} charts>"

    def _repr_html_(self) -> str:
        entries = [(entry["id"], entry["title"], entry.get("about", "")) for entry in self.data["charts"]]
        fights = [(entry["id"], entry["title"], entry.get("about", "")) for entry in self.data["fights"]]
        return table(self.title, ["chart or fight", "name", "what it does"], entries + fights)


def _nameless(pack: str, kind: str, id: str) -> Dict[str, Any]:
    asked = {"pack": pack, kind: id}
    return asked if kind == "chart" else {"query": asked}


class _Named:
    def __init__(self, pack: Pack, id: str, data: Mapping[str, Any]) -> None:
        self.pack = pack
        self.id = id
        #: As data: inputs, steps, rows.
        self.data = data

    @property
    def title(self) -> str:
        """As the sheet prints it."""
        return str(self.data["title"])

    @property
    def inputs(self) -> List[Mapping[str, Any]]:
        """What it takes: each with its name, label, what is accepted, and whether it is required."""
        return list(self.data["inputs"])

    def __repr__(self) -> str:
        return f"<adjutant.{type(self).__name__} {self.pack.id} {self.id}: {self.title}>"

    def _repr_html_(self) -> str:
        rows = [(i["name"], i.get("label", ""), "required" if i.get("required") else "") for i in self.inputs]
        return table(f"{self.title} ({self.pack.title})", ["input", "label", ""], rows)


class Chart(_Named):
    """A chart of a pack.

    Inputs are keyword arguments. `firer={"hesa": 6}` gives `firer.hesa`; a list of dicts gives several units. Inputs
    may also come as one mapping, `{"firer.hesa": 6}`, before the keywords. Beside the inputs every method takes:

    `options`, `memory`: settings of the game, by name. `answers`: answers to questions, by key; for odds also
    chances, `{"jam": "1/6"}`. `gone`, `hand`: numbers of cards out of the deck, or in hand.
    """

    def _query(self, inputs: Optional[Mapping[str, Any]], more: Mapping[str, Any], **rest: Any) -> Dict[str, Any]:
        return query(self.pack.id, inputs, more, chart=self.id, **rest)

    def roll(
        self,
        inputs: Optional[Mapping[str, Any]] = None,
        *,
        dice: Optional[Iterable[Any]] = None,
        cards: Optional[Iterable[int]] = None,
        seed: Optional[int] = None,
        options: Optional[Mapping[str, Any]] = None,
        memory: Optional[Mapping[str, Any]] = None,
        answers: Optional[Mapping[str, Any]] = None,
        gone: Iterable[int] = (),
        hand: Iterable[int] = (),
        **more: Any,
    ) -> Roll:
        """Rolls the chart, with your own `dice` and `cards` if you give them, else with `seed` or at random.

        >>> import adjutant
        >>> adjutant.load("panzer8").chart("rally").roll(dice=[7]).result
        'unsuppressed'
        """
        asked = self._query(
            inputs, more, dice=dice, cards=cards, seed=seed,
            options=options, memory=memory, answers=answers, gone=gone, hand=hand,
        )
        return Roll(self.pack.ask({"roll": asked}), self.title)

    def odds(
        self,
        inputs: Optional[Mapping[str, Any]] = None,
        *,
        follow: bool = False,
        options: Optional[Mapping[str, Any]] = None,
        memory: Optional[Mapping[str, Any]] = None,
        answers: Optional[Mapping[str, Any]] = None,
        gone: Iterable[int] = (),
        hand: Iterable[int] = (),
        **more: Any,
    ) -> Odds:
        """The exact chances. `follow` goes down the chain of charts to the final results."""
        asked = self._query(
            inputs, more, follow=follow, options=options, memory=memory, answers=answers, gone=gone, hand=hand
        )
        plot = {"plot": {"query": asked, "over": []}}
        return Odds(self.pack.ask({"odds": asked}), self.title, lambda: self.pack.ask(plot))

    def modifiers(self, inputs: Optional[Mapping[str, Any]] = None, **more: Any) -> ModifierOdds:
        """What each yes-or-no input that does not hold now would change. Takes what `odds` takes."""
        settings, more = _split(more)
        return ModifierOdds(self.pack.ask({"modifiers": self._query(inputs, more, **settings)}), self.title)

    def times(self, times: int, inputs: Optional[Mapping[str, Any]] = None, **more: Any) -> Series:
        """How often each result comes in so many checks. Takes what `odds` takes."""
        settings, more = _split(more)
        asked = {"query": self._query(inputs, more, **settings), "times": times}
        return Series(self.pack.ask({"times": asked}), self.title)

    def vary(
        self,
        over: Mapping[str, Any],
        inputs: Optional[Mapping[str, Any]] = None,
        **more: Any,
    ) -> OddsTable:
        """The chances over one or two inputs: `vary({"firer.hesa": range(1, 9)}, ammo="hesa", target={"def": 4})`.

        Values are a list or range, or a text such as `"1..8"`. Takes what `odds` takes.
        """
        settings, more = _split(more)
        asked = {"query": self._query(inputs, more, **settings), "over": axes(over)}
        return OddsTable(self.pack.ask({"vary": asked}), self.title, lambda: self.pack.ask({"plot": asked}))

    def sim(
        self,
        inputs: Optional[Mapping[str, Any]] = None,
        *,
        n: int = 1_000_000,
        threads: Optional[int] = None,
        **more: Any,
    ) -> Sample:
        """Samples the chart `n` times, on all cores or on so many `threads`. Takes what `odds` takes, and a `seed`.

        The counts depend on the seed and `n`, not on the number of threads.
        """
        settings, more = _split(more)
        asked = {"query": self._query(inputs, more, **settings), "samples": whole("n", n, 1, MOST_SAMPLES)}
        return Sample(self.pack.ask({"sim": asked}, threads=threads), self.title)


class Fight(_Named):
    """A fight of a pack: charts that are rolled until something is decided. Inputs are given as for a chart."""

    def _query(self, inputs: Optional[Mapping[str, Any]], more: Mapping[str, Any], **rest: Any) -> Dict[str, Any]:
        return query(self.pack.id, inputs, more, fight=self.id, **rest)

    def odds(
        self,
        inputs: Optional[Mapping[str, Any]] = None,
        *,
        samples: Optional[int] = None,
        max_time: Optional[float] = None,
        max_memory: Optional[int] = None,
        threads: Optional[int] = None,
        **more: Any,
    ) -> FightOdds:
        """What to expect. Exact if it can be computed within `max_time` seconds (60) and `max_memory` MB (1000), else
        simulated on all cores or so many `threads`: `samples` times, or as often as there is time for. Takes `answers`, `options`, `memory`, `seed`.
        """
        settings, more = _split(more)
        limits = _limits(samples, max_time, max_memory)
        asked = {"query": self._query(inputs, more, **settings), "limits": limits}
        return FightOdds(self.pack.ask({"fight": asked}, threads=threads), self.title)

    def vary(
        self,
        over: Mapping[str, Any],
        inputs: Optional[Mapping[str, Any]] = None,
        *,
        samples: Optional[int] = None,
        max_time: Optional[float] = None,
        max_memory: Optional[int] = None,
        threads: Optional[int] = None,
        **more: Any,
    ) -> FightTable:
        """What to expect over one or two inputs: `vary({"theirs": range(1, 5)}, ours=3, …)`."""
        settings, more = _split(more)
        asked = {
            "query": self._query(inputs, more, **settings),
            "over": axes(over),
            "limits": _limits(samples, max_time, max_memory),
        }
        return FightTable(self.pack.ask({"vary": asked}, threads=threads), self.title)

    def sim(
        self,
        inputs: Optional[Mapping[str, Any]] = None,
        *,
        n: int = 100_000,
        threads: Optional[int] = None,
        **more: Any,
    ) -> Sample:
        """Simulates the fight `n` times, on all cores or on so many `threads`. Takes what `odds` takes, and a `seed`.

        The counts depend on the seed and `n`, not on the number of threads.
        """
        settings, more = _split(more)
        asked = {"query": self._query(inputs, more, **settings), "samples": whole("n", n, 1, MOST_SAMPLES)}
        return Sample(self.pack.ask({"sim": asked}, threads=threads), self.title)


_SETTINGS = ("options", "memory", "answers", "gone", "hand", "seed", "follow")


def _split(more: Mapping[str, Any]) -> Any:
    """Settings, and the inputs beside them."""
    settings = {name: value for name, value in more.items() if name in _SETTINGS}
    return settings, {name: value for name, value in more.items() if name not in _SETTINGS}


def _limits(samples: Optional[int], max_time: Optional[float], max_memory: Optional[int]) -> Dict[str, Any]:
    limits = {
        "samples": None if samples is None else whole("samples", samples, 1, MOST_SAMPLES),
        "max_time": None if max_time is None else _seconds(max_time),
        "max_memory": None if max_memory is None else whole("max_memory", max_memory, 0, 10**9),
    }
    return {name: value for name, value in limits.items() if value is not None}


def _seconds(time: Any) -> float:
    if isinstance(time, bool) or not isinstance(time, (int, float)):
        raise TypeError(f"max_time is a number of seconds, not {type(time).__name__}")
    if not 0 <= time <= 1e9:
        raise InputError(f"max_time: {time} is not accepted: seconds, not below 0")
    return float(time)
