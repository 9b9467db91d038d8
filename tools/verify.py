#!/usr/bin/env python3
"""Checks the sealed rolls of an exported game log, without the pack and without Adjutant.

This is an independent implementation of docs/sealed-rolls.md. "Rule" in a comment means a rule of that document.
It checks the lines and their hash chain, chains, links, marks, dice, cards, and who may take back what. It does not
check what a chart asks for, or what its results do: that needs the pack (`adjutant verify`).

Exit code: 0 the log is sound, 1 it is not, 2 it cannot be read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, NoReturn

MAX_WORD = 2**32 - 1
MAX_DEPTH = 127  # The specification sets no limit. No real line comes near this one.
MAX_FAULTS = 200
MAX_MEMBERS = 32
HEX = re.compile(r"[0-9a-f]{64}")
# Control characters, line breaks, bidirectional controls and invisible blanks.
HIDDEN = re.compile("[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z")

# Each event with its required and its optional keys. `add` is a list and has none.
KEYS: dict[str, tuple[str, str]] = {
    "begin": ("format sides", "name pack version hash options cards_open run_by_sheet start decks"),
    "join": ("who role", ""),
    "add": ("", ""),
    "set": ("unit", "name side group has put_on lift notes"),
    "remove": ("unit", "word"),
    "option": ("name", "value"),
    "memory": ("name", "side value"),
    "play": ("request", "inputs call cards results value says order effects appear next held unapplied"),
    "unfinished": ("request inputs", "broken_off"),
    "land": ("", "plays"),
    "skip": ("pending", "reason"),
    "start": ("", "due"),
    "phase": ("", "to turn lifted due"),
    "deck": ("deck act", "side cards"),
    "note": ("text", ""),
    "undo": ("event", "mark"),
    "redo": ("event", "mark"),
    "ask": ("want event", "mark"),
    "consent": ("ask yes", "mark"),
    "seal": ("anchor length", "last forfeit"),
    "call": ("request", "inputs continues"),
    "reveal": ("link mark", ""),
    "withdraw": ("call", "mark"),
    "release": ("who", "mark"),
}
REQUEST_KEYS = ("chart", "units given pending new_units_side deck_side left_out anyway")
# Rules 4, 5 and 14
DO_NOT_COUNT = {"begin", "join", "unfinished", "undo", "redo", "ask", "consent", "seal", "call", "reveal", "withdraw", "release"}
WHILE_OPEN = {"play", "reveal", "withdraw", "call", "seal", "note", "join", "consent", "ask"}
END_REQUEST = {"undo", "redo", "call", "reveal", "withdraw", "release"}  # A seal may, too.
# The lines with a mark, and the keys whose values its text names after the word. (The text of a reveal is empty.)
MARKED = {
    "undo": "event", "redo": "event", "ask": "want event", "consent": "ask yes", "withdraw": "call", "release": "who",
}

Party = tuple[str, str]  # ("member", name) or ("side", name): a party that can consent
DeckKey = tuple[str, str | None]  # name, and its side if each side has its own
Decks = dict[DeckKey, frozenset[int]]  # the cards that are gone


class Invalid(Exception):
    """A line breaks a rule. The text says how."""


def invalid(why: str) -> NoReturn:
    raise Invalid(why)


def require(holds: bool, why: str) -> None:
    if not holds:
        raise Invalid(why)


# Bytes


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def next_in_chain(link: bytes) -> bytes:
    return sha256(b"adjutant sealed link 1", link)


def mark_of(key: bytes, prev: bytes, text: str) -> bytes:
    return sha256(b"adjutant sealed mark 1", key, prev, text.encode())


def seed_of(line_1: bytes, call: bytes, links: list[bytes]) -> bytes:
    return sha256(b"adjutant sealed seed 1", line_1, call, len(links).to_bytes(4, "big"), *links)


def words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        data = sha256(b"adjutant sealed dice 1", seed, block.to_bytes(8, "big"))
        yield from (int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1


def below(n: int, stream: Iterator[int]) -> int:
    """The next number from 0 to n - 1. Words that would favour small numbers are discarded."""
    limit = 2**32 // n * n
    return next(word for word in stream if word < limit) % n


def card_at(index: int, gone: Iterable[int]) -> int:
    """The card at `index` among those left, in ascending order."""
    card = index + 1
    for other in sorted(gone):
        if other <= card:
            card += 1
    return card


# JSON


def quote(text: object) -> str:
    """Text from the log, safe for a terminal."""
    shown = repr(text)
    return shown if len(shown) <= 80 else shown[:77] + "..."


def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(items)
    require(len(result) == len(items), "a key occurs twice in an object")
    return result


def integer_of(digits: str) -> int:
    value = int(digits) if len(digits) <= 20 else 2**64
    if not -(2**63) <= value < 2**64 or digits == "-0":
        invalid(f"the number {quote(digits)} is out of range")
    return value


def no_number(text: str) -> NoReturn:
    invalid(f"{quote(text)} is not an integer")


def parse(line: bytes) -> Any:
    try:
        text = line.decode()
        value = json.loads(
            text, object_pairs_hook=pairs, parse_int=integer_of, parse_float=no_number, parse_constant=no_number
        )
    except UnicodeDecodeError:
        invalid("the line is not UTF-8")
    except RecursionError:
        invalid("the JSON is nested too deeply")
    except ValueError as error:
        invalid(f"the line is not JSON: {error}")
    level, depth = [value], 0
    while inner := [item for item in level if isinstance(item, (dict, list))]:
        level = [value for item in inner for value in (item.values() if isinstance(item, dict) else item)]
        depth += 1
    require(depth <= MAX_DEPTH, "the JSON is nested too deeply")
    if "\\u" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            invalid("a text has half of a surrogate pair")
    return value


def canonical(value: Any) -> str:
    """Equal for the same JSON value. (In Python, 1 == True.)"""
    return json.dumps(value, sort_keys=True)


def fields(value: Any, what: str, required: str, optional: str = "") -> dict[str, Any]:
    """The keys of an object, with None for an optional key that is missing."""
    require(isinstance(value, dict), f"{what} is not an object")
    names = required.split()
    allowed = names + optional.split()
    if missing := [key for key in names if key not in value]:
        invalid(f"{what} has no {quote(missing[0])}")
    if unknown := [key for key in value if key not in allowed]:
        invalid(f"{what} has the unknown key {quote(unknown[0])}")
    return {key: value.get(key) for key in allowed}


def text_of(value: Any, what: str, longest: int | None = None) -> str:
    if not isinstance(value, str):
        invalid(f"{what} is not a text")
    if longest is not None:
        require(1 <= len(value) <= longest, f"{what} does not have 1 to {longest} characters")
        require(bool(value.strip()), f"{what} is blank")
        require(not HIDDEN.search(value), f"{what} has a hidden character")
    return value


def number_of(value: Any, what: str, least: int = 1, most: int = MAX_WORD) -> int:
    if type(value) is not int:
        invalid(f"{what} is not an integer")
    require(least <= value <= most, f"{what} is not {least} to {most}")
    return value


def hex_of(value: Any, what: str) -> bytes:
    if not isinstance(value, str) or not HEX.fullmatch(value):
        invalid(f"{what} is not 64 lower-case hex digits")
    return bytes.fromhex(value)


def list_of(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        invalid(f"{what} is not a list")
    return value


def minutes_between(start: str, end: str) -> float | None:
    if not (TIME.fullmatch(start) and TIME.fullmatch(end)):
        return None
    try:
        return (datetime.fromisoformat(end[:19]) - datetime.fromisoformat(start[:19])) / timedelta(minutes=1)
    except ValueError:
        return None


# State


@dataclass
class Mark:
    event: int
    depth: int
    prev: bytes
    text: str
    value: bytes


@dataclass
class Member:
    sealed_at: int
    known: bytes
    length: int
    depth: int = 0
    used: int = 0
    marks: list[Mark] = field(default_factory=list)


@dataclass
class Call:
    event: int
    at: str
    by: str
    fingerprint: bytes
    request: str  # canonical JSON, as are the inputs
    inputs: list[str]
    continues: bool
    indexes: list[int]  # where the sealed cards of `inputs` were among the cards left
    links: dict[str, bytes] = field(default_factory=dict)


@dataclass
class Request:
    event: int
    want: str
    about: int
    asker: str
    answers: dict[str, tuple[bool, int, set[Party]]] = field(default_factory=dict)


@dataclass
class Counted:
    """An event that counts, with what an undo of it needs to know."""

    event: int
    side: str | None
    sides: set[str]
    chance: bool
    sealed: bool
    before: Decks
    after: Decks


@dataclass
class Record:
    """What a player did, for the report."""

    calls: int = 0
    withdrawn: int = 0
    withdrawn_without_consent: int = 0
    dropped_while_owing: int = 0
    undone: int = 0
    covers: int = 0  # the last line that an opened mark of this player covers


@dataclass
class Line:
    event: int
    at: str
    by: str
    prev: bytes
    fingerprint: bytes
    kind: str
    keys: dict[str, Any]


class Verifier:
    def __init__(self) -> None:
        self.faults: list[tuple[int, str]] = []
        self.event = 0
        self.line_1 = self.last = b""
        self.sides: list[str] = []
        self.seats: dict[str, str | tuple[str]] = {}  # "umpire", "spectator", or (side,)
        self.circle: dict[str, Member] = {}
        self.last_circle: list[str] = []
        self.umpires: set[str] = set()
        self.forfeit: str | int | None = None  # "stands", or the minutes after which a roll is lost
        self.shown: set[bytes] = set()
        self.call: Call | None = None
        self.request: Request | None = None
        self.counted: list[Counted] = []
        self.undone: list[Counted] = []
        self.decks: Decks = {}
        self.deck_sizes: dict[str, int] = {}
        self.records: dict[str, Record] = {}
        self.unopened: dict[int, tuple[str, str]] = {}  # event: member and kind, links left out

    # Lines

    def read(self, lines: Iterable[bytes]) -> None:
        for raw in lines:
            self.event += 1
            if not raw.endswith(b"\n"):
                self.fault("the line does not end with a line feed")
            raw = raw.removesuffix(b"\n")
            fingerprint = sha256(raw)
            try:
                self.line(raw, fingerprint)
            except Invalid as why:
                self.fault(str(why))
                if self.event == 1:
                    return self.fault("without a valid line 1, the other lines are not checked")
            self.last = fingerprint
            if len(self.faults) >= MAX_FAULTS:
                return self.fault("there are too many faults: the lines after this one are not checked")
        if self.event == 0:
            self.fault("the log is empty")

    def fault(self, why: str) -> None:
        self.faults.append((self.event, why))

    def line(self, raw: bytes, fingerprint: bytes) -> None:
        """Applies a line that is valid; one that is not has no effect. A wrong `n` or `prev` alone does not stop it."""
        require(not raw.endswith(b"\r"), "the line does not end with a line feed alone")
        outer = fields(parse(raw), "the line", "n at by prev do")
        if type(outer["n"]) is not int or outer["n"] != self.event:
            self.fault(f"n is {quote(outer['n'])}, not {self.event}")
        if outer["prev"] != self.last.hex():
            self.fault("prev is not the fingerprint of the line before")
        at, by = text_of(outer["at"], "at", 40), text_of(outer["by"], "by", 60)
        do = outer["do"]
        require(isinstance(do, dict) and len(do) == 1, "do does not have exactly one key")
        [(kind, body)] = do.items()
        require(kind in KEYS, f"{quote(kind)} is not an event")
        keys = {"units": list_of(body, "add")} if kind == "add" else fields(body, kind, *KEYS[kind])
        require((kind == "begin") == (self.event == 1), "begin is line 1 and no other")
        self.apply(Line(self.event, at, by, self.last, fingerprint, kind, keys))

    def apply(self, line: Line) -> None:
        require(self.seats.get(line.by) != "spectator" or line.kind == "join", "a spectator writes only join")
        if self.call:
            allowed = line.kind in WHILE_OPEN and (line.kind != "ask" or line.keys["want"] == "withdraw")
            require(allowed, f"{line.kind} while call {self.call.event} is open")
        mark = self.mark(line)
        chance = sealed = False
        before = self.decks
        if line.kind == "play":
            chance, sealed = self.play(line)
        elif handler := getattr(self, "do_" + line.kind, None):
            handler(line)
        if mark:
            if line.kind != "reveal":
                self.unopened[line.event] = (line.by, line.kind)
            if member := self.circle.get(line.by):
                member.marks.append(mark)
        if line.kind not in DO_NOT_COUNT:
            side, sides = self.side_of(line.by), self.sides_with_players()
            self.counted.append(Counted(line.event, side, sides, chance, sealed, before, self.decks))
            self.undone.clear()
            self.request = None
        elif line.kind in END_REQUEST:
            self.request = None

    def mark(self, line: Line) -> Mark | None:
        """Rules 6 and 10: the mark of this line, to be opened by a later link."""
        member, keys = self.circle.get(line.by), line.keys
        if line.kind in MARKED:
            require(not member or keys["mark"] is not None, f"{line.kind} by a member has no mark")
            require(bool(member) or keys["mark"] is None, f"{line.kind} by a player who is not a member has a mark")
        elif line.kind != "reveal":
            return None
        if not member:
            return None
        named = [keys[key] for key in MARKED.get(line.kind, "").split()]
        spelled = [{True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value) for value in named]
        text = " ".join([line.kind, *spelled]) if named else ""
        return Mark(line.event, member.used + 1, line.prev, text, hex_of(keys["mark"], "mark"))

    def record(self, name: str) -> Record:
        return self.records.setdefault(name, Record())

    # Seats

    def do_begin(self, line: Line) -> None:
        require(line.keys["format"] == 3 and type(line.keys["format"]) is int, "the format is not 3")
        self.sides = [text_of(side, "a side") for side in list_of(line.keys["sides"], "sides")]
        require(len(set(self.sides)) == len(self.sides), "two sides have the same name")
        self.line_1 = line.fingerprint

    def do_join(self, line: Line) -> None:
        who, role = text_of(line.keys["who"], "who", 60), line.keys["role"]
        seat: str | tuple[str]
        if isinstance(role, str):
            require(role in ("umpire", "spectator"), f"there is no role {quote(role)}")
            seat = role
        else:
            player = fields(fields(role, "role", "player")["player"], "player", "side")
            seat = (text_of(player["side"], "side"),)
            require(seat[0] in self.sides, f"there is no side {quote(seat[0])}")
        if who in self.seats and who != line.by:
            require(self.seats.get(line.by) == "umpire", "only an umpire gives another player a new seat")
        require(who not in self.circle or self.seats[who] == seat, "a member of the circle keeps the seat")
        self.seats[who] = seat

    def side_of(self, name: str) -> str | None:
        seat = self.seats.get(name)
        return seat[0] if isinstance(seat, tuple) else None

    def plays(self, name: str) -> bool:
        return self.seats.get(name, "spectator") != "spectator"

    def sides_with_players(self) -> set[str]:
        return {seat[0] for seat in self.seats.values() if isinstance(seat, tuple)}

    # Links

    @property
    def stands(self) -> bool:
        return len(self.circle) >= 2

    def owing(self) -> list[str]:
        return [name for name in self.circle if self.call and name not in self.call.links]

    def show(self, name: str, link: bytes, depth: int) -> None:
        """Rule 7. A mark that the link does not open is a fault, but the link itself is still the next one."""
        member = self.circle[name]
        require(depth > member.depth, "this link was shown before")
        keys, value = {}, link
        for at in range(depth, member.depth, -1):
            keys[at] = value
            value = next_in_chain(value)
        require(value == member.known, "the link does not lead to the known link")
        opened = [mark for mark in member.marks if mark.depth <= depth]
        member.marks = [mark for mark in member.marks if mark.depth > depth]
        for mark in opened:
            if mark_of(keys[mark.depth], mark.prev, mark.text) == mark.value:
                self.unopened.pop(mark.event, None)
                self.record(name).covers = max(self.record(name).covers, mark.event - 1)
            else:
                self.fault(f"the link of {quote(name)} does not open the mark of event {mark.event}")
        member.known, member.depth = link, depth
        self.shown.update(keys.values())

    def do_seal(self, line: Line) -> None:
        keys, member = line.keys, self.circle.get(line.by)
        anchor, length = hex_of(keys["anchor"], "anchor"), number_of(keys["length"], "length", 1, 10_000)
        last = None if keys["last"] is None else hex_of(keys["last"], "last")
        forfeit = keys["forfeit"]
        if forfeit not in (None, "stands"):
            lost = fields(fields(forfeit, "forfeit", "lost")["lost"], "lost", "minutes")
            forfeit = number_of(lost["minutes"], "minutes", 1, 43_200)
        require(self.plays(line.by), "only a player of a side or an umpire seals")
        require(anchor not in self.shown and anchor != last, "the anchor was shown before")
        require(not self.circle or forfeit == self.forfeit, "forfeit is not that of the circle")
        if member:
            require(not self.owing(), "a new chain while a call waits for links")
            self.show(line.by, last or invalid("the seal of a member has no last"), member.used + 1)
        else:
            require(last is None, "the first seal of a player has a last")
            require(self.call is None, "a player joins the circle while a call is open")
            require(len(self.circle) < MAX_MEMBERS, f"the circle has {MAX_MEMBERS} members")
        if not self.circle:
            self.forfeit = forfeit
            self.umpires = {name for name, seat in self.seats.items() if seat == "umpire"}
        if not (member and self.request and self.request.want == "release"):
            self.request = None
        elif self.request.about == member.sealed_at:
            self.request.about = line.event
        self.circle[line.by] = Member(line.event, anchor, length)
        self.last_circle = list(self.circle)
        self.record(line.by)
        self.shown.add(anchor)

    def do_call(self, line: Line) -> None:
        keys, open_call = line.keys, self.call
        request, inputs = self.request_of(keys), self.inputs_of(keys)
        require(self.stands, "a call without a circle that stands")
        require(self.plays(line.by), "a call by a person who has not joined as a player")
        indexes: list[int] = []
        if open_call is None:
            require(keys["continues"] is None, "no call is open that this one continues")
            require(all("answer" in item for item in inputs), "the first call has dice or cards")
        else:
            require(keys["continues"] is not None, f"call {open_call.event} is open")
            require(number_of(keys["continues"], "continues") == open_call.event, f"the open call is {open_call.event}")
            require(line.by == open_call.by, "only the caller continues a call")
            indexes, answers = self.follow(open_call, request, inputs)
            require(answers, "a call that continues another has no answer after the dice")
        for name, member in self.circle.items():
            require(member.used < member.length, f"the chain of {quote(name)} has no link left")
        for member in self.circle.values():
            member.used += 1
        texts = [canonical(item) for item in inputs]
        continues_one = open_call is not None
        self.call = Call(line.event, line.at, line.by, line.fingerprint, request, texts, continues_one, indexes)
        self.record(line.by).calls += 1

    def do_unfinished(self, _line: Line) -> None:
        require(not self.stands, "an unfinished roll without a call, while the circle stands")

    def do_reveal(self, line: Line) -> None:
        link = hex_of(line.keys["link"], "link")
        hex_of(line.keys["mark"], "mark")
        call = self.call or invalid("no call is open")
        member = self.circle.get(line.by) or invalid("only a member shows a link")
        require(line.by not in call.links, "this member has shown a link for the call")
        self.show(line.by, link, member.used)
        call.links[line.by] = link

    # Dice and cards

    def request_of(self, keys: dict[str, Any]) -> str:
        fields(keys["request"], "request", *REQUEST_KEYS)
        return canonical(keys["request"])

    def inputs_of(self, keys: dict[str, Any]) -> list[dict[str, Any]]:
        items = [] if keys["inputs"] is None else list_of(keys["inputs"], "inputs")
        for item in items:
            require(isinstance(item, dict), "an input is not an object")
            kind = [key for key in ("dice", "card", "answer") if key in item]
            require(len(kind) == 1, "an input does not have exactly one of dice, card and answer")
            size = {"dice": "sides", "card": "left", "answer": ""}[kind[0]]
            sealed = item.get("from") == "sealed"
            fields(item, "an input", f"{kind[0]} from {size if sealed else ''}")
            if kind[0] == "answer":
                text_of(item["answer"], "answer")
                require(item["from"] == "typed", "an answer is not typed")
                continue
            require(item["from"] in ("ours", "typed", "sealed"), "an input has an unknown from")
            for number in list_of(item["dice"], "dice") if kind[0] == "dice" else [item["card"]]:
                number_of(number, "a die or card", -(2**63), 2**64)
            if sealed:
                number_of(item[size], size)
        return items

    def follow(self, call: Call, request: str, inputs: list[dict[str, Any]]) -> tuple[list[int], bool]:
        """Rules 9, 11 and 12: inputs that go on from `call`. Returns where the cards were among those left in their
        decks, and whether answers follow."""
        require(not self.owing(), f"call {call.event} waits for links")
        require(request == call.request, "the request is not that of the call")
        given = len(call.inputs)
        same = [canonical(item) for item in inputs[:given]] == call.inputs
        require(same, "inputs do not start with those of the call")
        stream = words(seed_of(self.line_1, call.fingerprint, [call.links[name] for name in self.circle]))
        indexes, answers = list(call.indexes), False
        for item in inputs[given:]:
            if "answer" in item:
                answers = True
                continue
            require(not answers, "dice or cards follow an answer in the same call")
            require(item["from"] == "sealed", "dice or cards of a sealed roll are not sealed")
            if "card" in item:
                indexes.append(below(item["left"], stream))
            else:
                faces = [1 + below(item["sides"], stream) for _ in item["dice"]]
                require(item["dice"] == faces, f"the dice are {quote(item['dice'])}, but the links give {quote(faces)}")
        return indexes, answers

    def play(self, line: Line) -> tuple[bool, bool]:
        """Whether the play has dice or cards, and whether it is sealed."""
        keys, call = line.keys, self.call
        request, inputs = self.request_of(keys), self.inputs_of(keys)
        chance = any("answer" not in item for item in inputs)
        indexes: list[int] = []
        if call:
            require(keys["call"] is not None, f"the play does not name call {call.event}")
            require(number_of(keys["call"], "call") == call.event, f"the play does not name call {call.event}")
            indexes, answers = self.follow(call, request, inputs)
            require(not answers or line.by == call.by, "only the caller answers")
        else:
            require(keys["call"] is None, "no call is open")
            require(all(item["from"] != "sealed" for item in inputs), "sealed dice or cards without a call")
            require(not (self.stands and chance), "dice or cards without a call, while the circle stands")
        self.draw(keys["cards"], [item for item in inputs if "card" in item], indexes)
        self.call = None
        return chance, call is not None

    def draw(self, drawn: Any, inputs: list[dict[str, Any]], indexes: list[int]) -> None:
        """Takes the cards of a play. `indexes` is as long as `inputs` if the play is sealed, else empty."""
        draws: list[tuple[DeckKey, bool, int | None]] = []
        for item in [] if drawn is None else list_of(drawn, "cards"):
            keys = fields(item, "cards", "deck", "side reshuffled took")
            took = [] if keys["took"] is None else list_of(keys["took"], "took")
            require(isinstance(keys["reshuffled"], bool | None), "reshuffled is not true or false")
            reshuffled = bool(keys["reshuffled"])
            require(took or reshuffled, "an entry of cards says nothing")
            # A deck that is only reshuffled has no card to take.
            for card in took or [None]:
                draws.append((self.deck_key(keys), reshuffled, None if card is None else number_of(card, "a card")))
                reshuffled = False
        taken = [card for _, _, card in draws if card is not None]
        require(taken == [item["card"] for item in inputs], "cards are not those of the inputs")
        decks, sizes = dict(self.decks), dict(self.deck_sizes)
        at = -1
        for deck, reshuffled, card in draws:
            gone: frozenset[int] = frozenset() if reshuffled else decks.get(deck, frozenset())
            if card is None:
                decks[deck] = gone
                continue
            at += 1
            if indexes:
                left = inputs[at]["left"]
                # The log does not say how many cards a deck has. The first sealed draw settles it.
                size = sizes.setdefault(deck[0], left + len(gone))
                require(left == size - len(gone), f"left is {left}, but {size - len(gone)} cards are left")
                require(all(other <= size for other in gone), f"a card that is gone is above {size}")
                given = card_at(indexes[at], gone)
                require(card == given, f"the card is {card}, but the links give {given}")
            decks[deck] = gone | {card}
        self.decks, self.deck_sizes = decks, sizes

    def deck_key(self, keys: dict[str, Any]) -> DeckKey:
        side = keys["side"]
        require(side is None or side in self.sides, "a deck has an unknown side")
        return (text_of(keys["deck"], "deck"), side)

    def do_deck(self, line: Line) -> None:
        deck, act = self.deck_key(line.keys), line.keys["act"]
        cards = [] if line.keys["cards"] is None else list_of(line.keys["cards"], "cards")
        moved = frozenset(number_of(card, "a card") for card in cards)
        gone = self.decks.get(deck, frozenset())
        results = {"reshuffle": frozenset[int](), "take_out": gone | moved, "put_back": gone - moved}
        require(isinstance(act, str) and act in results, "act is not reshuffle, take_out or put_back")
        self.decks = {**self.decks, deck: results[act]}

    # Consent

    def parties(self, name: str, asker: str) -> set[Party]:
        """Rule 15: for which parties a player answers."""
        side, sides = self.side_of(name), {("side", side) for side in self.sides}
        own: set[Party] = {("member", name)} if name in self.circle else set()
        umpire = self.seats.get(name) == "umpire"
        if name == asker:
            return set()
        if self.stands:
            if own and umpire and name in self.umpires:
                return sides | {("member", other) for other in self.circle}
            if own or side is None or side in self.sides_of_members() or side == self.side_of(asker):
                return own
            return {("side", side)}
        if umpire:
            return sides | own
        return own | {("side", side)} if side is not None and side != self.side_of(asker) else set()

    def sides_of_members(self) -> set[str | None]:
        return {self.side_of(name) for name in self.circle}

    def members_but(self, *names: str) -> set[Party]:
        return {("member", name) for name in self.circle if name not in names}

    def needed_for_undo(self, by: str, counted: Counted) -> set[Party]:
        """Rule 16."""
        mine, sides = self.side_of(by), self.sides_with_players() | counted.sides
        if self.stands and by not in self.circle and mine in self.sides_of_members():
            mine = None
        if not counted.chance and mine is not None and counted.side == mine:
            return set()
        if self.stands:
            others = sides - self.sides_of_members() - {mine}
            return self.members_but(by) | {("side", side) for side in others}
        return {("side", side) for side in sides - {mine}} if len(sides) > 1 else set()

    def needed_for_withdraw(self, by: str, call: Call, at: str | None) -> set[Party]:
        """Rule 17. Without `at`, the time limit has not passed."""
        if not call.continues:
            if by == call.by and not (set(call.links) - ({by} if self.forfeit != "stands" else set())):
                return set()
            passed = minutes_between(call.at, at) if at is not None else None
            lost = isinstance(self.forfeit, int) and passed is not None and passed >= self.forfeit
            if by in call.links and self.owing() and (self.forfeit is None or lost):
                return {("member", name) for name in call.links if name != by}
        return self.members_but(by)

    def needed_for_release(self, by: str, who: str) -> set[Party]:
        """Rule 18."""
        few_stay = len(self.circle) - (who in self.circle) < 2
        return self.members_but(by) if few_stay else self.members_but(by, who)

    def consented(self, needed: set[Party], want: str, about: int, asker_agrees: bool) -> None:
        if not needed:
            return
        request = self.request
        given: set[Party] = set()
        if request and (request.want, request.about) == (want, about):
            if asker_agrees:
                given.add(("member", request.asker))
            for name, (yes, _, parties) in request.answers.items():
                if yes:
                    given |= parties & self.parties(name, request.asker)
        missing = ", ".join(sorted(quote(name) for _, name in needed - given))
        require(not missing, f"{want} without the consent of {missing}")

    def last_of(self, events: list[Counted], event: int, want: str) -> Counted:
        require(bool(events) and events[-1].event == event, f"event {event} is not the one to {want}")
        return events[-1]

    def do_undo(self, line: Line) -> None:
        counted = self.take_back(line, self.counted, self.undone)
        self.decks = counted.before
        self.record(line.by).undone += counted.sealed

    def do_redo(self, line: Line) -> None:
        self.decks = self.take_back(line, self.undone, self.counted).after

    def take_back(self, line: Line, source: list[Counted], target: list[Counted]) -> Counted:
        event = number_of(line.keys["event"], "event")
        counted = self.last_of(source, event, line.kind)
        self.consented(self.needed_for_undo(line.by, counted), line.kind, event, asker_agrees=False)
        target.append(source.pop())
        return counted

    def do_ask(self, line: Line) -> None:
        want, about = line.keys["want"], number_of(line.keys["event"], "event")
        if want in ("undo", "redo"):
            counted = self.last_of(self.counted if want == "undo" else self.undone, about, want)
            needed = self.needed_for_undo(line.by, counted)
        elif want == "withdraw":
            call = self.call or invalid("no call is open")
            require(about == call.event, f"the open call is {call.event}, not {about}")
            needed = self.needed_for_withdraw(line.by, call, None)
        else:
            require(want == "release", "want is not undo, redo, withdraw or release")
            names = [name for name, member in self.circle.items() if member.sealed_at == about]
            require(bool(names), f"event {about} is not the last seal of a member")
            needed = self.needed_for_release(line.by, names[0])
        require(bool(needed - {("member", line.by)}), "a request that needs no consent")
        self.request = Request(line.event, want, about, line.by)

    def do_consent(self, line: Line) -> None:
        asked, yes = number_of(line.keys["ask"], "ask"), line.keys["yes"]
        require(isinstance(yes, bool), "yes is not true or false")
        request = self.request
        if not request or request.event != asked:
            invalid(f"event {asked} is not the open request")
        parties = self.parties(line.by, request.asker)
        require(bool(parties), f"{quote(line.by)} may not answer this request")
        request.answers[line.by] = (yes, line.event, parties)

    def do_withdraw(self, line: Line) -> None:
        event = number_of(line.keys["call"], "call")
        call = self.call or invalid("no call is open")
        require(event == call.event, f"the open call is {call.event}, not {event}")
        needed = self.needed_for_withdraw(line.by, call, line.at)
        self.consented(needed, "withdraw", event, asker_agrees=True)
        for name in self.owing():
            self.record(name).dropped_while_owing += 1
        self.record(line.by).withdrawn += 1
        self.record(line.by).withdrawn_without_consent += not needed
        self.call = None

    def do_release(self, line: Line) -> None:
        who = text_of(line.keys["who"], "who")
        member = self.circle.get(who) or invalid(f"{quote(who)} is not a member")
        needed = self.needed_for_release(line.by, who)
        self.consented(needed, "release", member.sealed_at, asker_agrees=True)
        if needed and self.request:
            require(line.by == self.request.asker, "the player who asked for the release must write it")
            marked = {event for yes, event, _ in self.request.answers.values() if yes} | {self.request.event}
            kept = sorted(marked & {mark.event for other in self.circle.values() for mark in other.marks})
            require(not kept, f"the marks of these events are not opened yet: {', '.join(map(str, kept))}")
        del self.circle[who]
        if self.stands:
            self.last_circle = list(self.circle)
        else:
            self.circle.clear()

    # Report

    def report(self) -> dict[str, Any]:
        records = {name: asdict(record) for name, record in self.records.items()}
        for name, record in records.items():
            member = self.circle.get(name)
            record["owes"] = self.call.event if self.call and name in self.owing() else None
            record["links_left"] = member.length - member.used if member else None
        return {
            "sound": not self.faults,
            "lines": self.event,
            "last_fingerprint": self.last.hex(),
            "circle": list(self.circle),
            "last_circle": self.last_circle,
            "confirmed": min((self.record(name).covers for name in self.last_circle), default=0),
            "players": records,
            "open_call": self.call.event if self.call else None,
            "unconfirmed": [{"event": e, "by": by, "do": kind} for e, (by, kind) in self.unopened.items()],
            "choice_excluded": not any(record.withdrawn_without_consent for record in self.records.values()),
            "deck_sizes": self.deck_sizes,
            "faults": [{"event": event, "fault": why} for event, why in self.faults],
        }


def in_words(report: dict[str, Any]) -> Iterator[str]:
    faults = report["faults"]
    verdict = "sound" if report["sound"] else f"NOT SOUND: {len(faults)} faults (later ones may follow from the first)"
    yield f"The log is {verdict}. {report['lines']} lines, last fingerprint {report['last_fingerprint']}."
    for fault in faults:
        yield f"  event {fault['event']}: {fault['fault']}"
    yield f"Circle: {', '.join(map(quote, report['circle'])) or 'none'}."
    for name, did in report["players"].items():
        yield (
            f"  {quote(name)}: calls {did['calls']}, withdrawn {did['withdrawn']}"
            f" ({did['withdrawn_without_consent']} without consent), dropped while owing a link"
            f" {did['dropped_while_owing']}, sealed rolls undone {did['undone']}, marks opened cover events up to"
            f" {did['covers']}" + (f"; owes a link for call {did['owes']}" if did["owes"] else "")
        )
    if report["last_circle"]:
        yield f"Confirmed by marks of every member up to event {report['confirmed']}."
    for item in report["unconfirmed"]:
        yield f"Not confirmed: event {item['event']}, {item['do']} by {quote(item['by'])}."
    if not report["choice_excluded"]:
        yield "A call was withdrawn without consent: the log does not show that no player could choose between rolls."
    for deck, size in report["deck_sizes"].items():
        yield f"Deck {quote(deck)}: {size} cards, if the first sealed draw is right. Compare with the pack."
    yield "Not checked, since it needs the pack: what the charts ask for, and their results."


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the sealed rolls of a game log.")
    parser.add_argument("log", help="the exported log, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args()
    verifier = Verifier()
    try:
        with open(0 if options.log == "-" else options.log, "rb") as file:
            verifier.read(file)
    except OSError as error:
        print(f"The log cannot be read: {error}", file=sys.stderr)
        return 2
    report = verifier.report()
    text = json.dumps(report, indent=2) if options.json else "\n".join(in_words(report))
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0 if report["sound"] else 1


if __name__ == "__main__":
    sys.exit(main())
