#!/usr/bin/env python3
"""Tests of verify.py: the vectors of docs/sealed-rolls.md, games that follow its rules, and changes to them.

Run: python3 tools/verify_test.py
"""

from __future__ import annotations

import copy
import io
import itertools
import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import verify
from verify import below, card_at, mark_of, next_in_chain, seed_of, sha256, words

HERE = Path(__file__).parent
ANNA, BERT = bytes(range(32)), bytes(range(32, 64))
RED, BLUE, GREEN = ({"player": {"side": side}} for side in ("Red", "Blue", "Green"))
LOST = {"lost": {"minutes": 30}}


def chain(secret: bytes, length: int) -> list[bytes]:
    """The links of a chain by depth."""
    links = [secret]
    for _ in range(length + 1):
        links.append(next_in_chain(links[-1]))
    return links[::-1]


def check(lines: list[bytes]) -> verify.Verifier:
    verifier = verify.Verifier()
    verifier.read(line + b"\n" for line in lines)
    verifier.report()
    return verifier


def first_fault(lines: list[bytes]) -> int | None:
    """The event of the first fault. The lines after it are not read."""
    verifier = verify.Verifier()
    verifier.read(line + b"\n" for line in itertools.takewhile(lambda _: not verifier.faults, lines))
    return verifier.faults[0][0] if verifier.faults else None


class Game:
    """Writes a log as honest devices do. It checks no rule: a test may break each of them."""

    def __init__(self, *sides: str, name: str = "Press") -> None:
        self.lines: list[bytes] = []
        self.links: dict[str, list[bytes]] = {}
        self.used: dict[str, int] = {}
        self.shown: dict[str, bytes] = {}
        self.call_line = 0
        self.stream: Iterator[int] = iter(())
        self.secrets = itertools.count(96)
        self.write("Anna", begin={
            "format": 3, "name": name, "pack": "press", "version": "",
            "hash": "2e833930e608dd1bc2e3184beda8afa723dc666c2eef5be769e59cb2a7ed4cec",
            "sides": list(sides or ("Red", "Blue")), "options": {}, "cards_open": False,
        })

    def fork(self) -> Game:
        """A copy, without the stream of the last call."""
        stream, self.stream = self.stream, iter(())
        other = copy.deepcopy(self)
        self.stream = stream
        return other

    def write(self, by: str, at: str = "", **do: Any) -> int:
        n = len(self.lines)
        prev = sha256(self.lines[-1]).hex() if self.lines else ""
        at = at or f"2026-11-16T02:{n // 60:02}:{n % 60:02}Z"
        line = {"n": n + 1, "at": at, "by": by, "prev": prev, "do": do}
        self.lines.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode())
        return n + 1

    def join(self, who: str, role: Any, by: str = "Anna") -> int:
        return self.write(by, join={"who": who, "role": role})

    def seal(self, by: str, secret: bytes | None = None, length: int = 9, forfeit: Any = None) -> int:
        new = chain(secret or bytes([next(self.secrets)] * 32), length)
        seal: dict[str, Any] = {"anchor": new[0].hex(), "length": length}
        if by in self.links:
            seal["last"] = self.links[by][self.used[by] + 1].hex()
        if forfeit:
            seal["forfeit"] = forfeit
        self.links[by], self.used[by] = new, 0
        return self.write(by, seal=seal)

    def call(self, by: str, inputs: list[Any] | None = None, continues: int | None = None) -> int:
        call: dict[str, Any] = {"request": {"chart": "press"}}
        if inputs:
            call["inputs"] = inputs
        if continues:
            call["continues"] = continues
        for name in self.used:
            self.used[name] += 1
        self.shown = {}
        self.call_line = self.write(by, call=call)
        return self.call_line

    def mark(self, by: str, text: str) -> str:
        return mark_of(self.links[by][self.used[by] + 1], sha256(self.lines[-1]), text).hex()

    def reveal(self, *names: str) -> int:
        for by in names:
            link = self.links[by][self.used[by]]
            self.shown[by] = link
            self.write(by, reveal={"link": link.hex(), "mark": self.mark(by, "")})
        if len(self.shown) == len(self.links):
            links = [self.shown[name] for name in self.links]
            call = sha256(self.lines[self.call_line - 1])
            self.stream = words(seed_of(sha256(self.lines[0]), call, links))
        return len(self.lines)

    def dice(self, count: int, sides: int) -> dict[str, Any]:
        return {"dice": [1 + below(sides, self.stream) for _ in range(count)], "sides": sides, "from": "sealed"}

    def play(self, by: str, inputs: list[Any], **more: Any) -> int:
        play = {"request": {"chart": "press"}, "call": self.call_line, "inputs": inputs, **more}
        return self.write(by, play={**play, "results": [{"id": "done", "title": "Done"}]})

    def roll(self, by: str = "Anna", writer: str = "") -> int:
        self.call(by)
        self.reveal(*self.links)
        return self.play(writer or by, [self.dice(2, 6)])

    def marked(self, by: str, kind: str, at: str = "", **keys: Any) -> int:
        """A line with a mark, or without one if the player is not a member."""
        if by in self.links:
            named = [("yes" if v else "no") if isinstance(v, bool) else str(v) for v in keys.values()]
            keys["mark"] = self.mark(by, " ".join([kind, *named]))
        return self.write(by, at, **{kind: keys})

    def ask(self, by: str, want: str, event: int) -> int:
        return self.marked(by, "ask", want=want, event=event)

    def consent(self, by: str, ask: int, yes: bool = True) -> int:
        return self.marked(by, "consent", ask=ask, yes=yes)

    def leave(self, *names: str) -> None:
        for name in names:
            del self.links[name], self.used[name]


def two(forfeit: Any = None, *others: tuple[str, Any], sides: tuple[str, ...] = ("Red", "Blue")) -> Game:
    """Anna and Bert have sealed; the others have only joined."""
    game = Game(*sides)
    game.join("Anna", RED)
    game.join("Bert", BLUE)
    for name, role in others:
        game.join(name, role)
    game.seal("Anna", ANNA, forfeit=forfeit)
    game.seal("Bert", BERT, forfeit=forfeit)
    return game


def question_log() -> Game:
    """The second log of the specification."""
    game = Game()
    game.join("Anna", RED)
    game.join("Bert", BLUE)
    game.seal("Anna", ANNA, 6, LOST)
    game.seal("Bert", BERT, 2, LOST)
    first = game.call("Anna")
    game.reveal("Anna")
    game.marked("Anna", "withdraw", call=first)
    first = game.call("Anna")
    game.reveal("Anna", "Bert")
    inputs = [game.dice(1, 6), {"answer": "yes", "from": "typed"}]
    bert = game.seal("Bert", None, 5, LOST)
    game.call("Anna", inputs, first)
    game.reveal("Anna", "Bert")
    play = game.play("Anna", [*inputs, game.dice(2, 6), {"answer": "yes", "from": "typed"}])
    game.consent("Anna", game.ask("Bert", "undo", play))
    game.marked("Bert", "undo", event=play)
    game.consent("Bert", game.ask("Anna", "release", bert))
    game.seal("Bert", bytes([0x61] * 32), 3, LOST)
    game.seal("Anna", bytes([0x62] * 32), 3, LOST)
    game.marked("Anna", "release", who="Bert")
    return game


def random_game(seed: int) -> Game:
    """A long game of three members, with all kinds of events."""
    rng = random.Random(seed)
    game = two(rng.choice([None, "stands", LOST]), ("Carl", "umpire"), ("Dora", "spectator"), ("Emil", RED))
    forfeit = json.loads(game.lines[-1])["do"]["seal"].get("forfeit")
    game.seal("Carl", forfeit=forfeit)
    gone: list[int] = []
    names = ["Anna", "Bert", "Carl"]
    for _ in range(6):
        by = rng.choice([*names, "Emil"])
        kind = rng.choice(["roll", "question", "withdraw", "cards", "note", "seal", "undo"])
        rng.shuffle(names)
        if kind == "note":
            game.write(by, note={"text": "Größe → 3"})
        elif kind == "seal":
            game.seal(names[0], forfeit=forfeit)
        elif kind == "undo":
            play = game.roll(by, rng.choice(names))
            ask = game.ask(names[0], "undo", play)
            for other in ["Carl"] if names[0] != "Carl" else ["Anna", "Bert"]:
                game.consent(other, ask, False)
                game.consent(other, ask)
            game.marked(names[0], "undo", event=play)
            ask = game.ask(names[1], "redo", play)
            for other in names[::2]:
                game.consent(other, ask)
            game.marked(names[1], "redo", event=play)
        elif kind == "withdraw":
            call = game.call(names[0])
            if forfeit != "stands":
                game.reveal(names[0])
            game.marked(names[0], "withdraw", call=call)
        else:
            call = game.call(by, [{"answer": "first", "from": "typed"}])
            game.reveal(*names)
            dice = game.dice(rng.randrange(4), rng.choice([6, 10, 3_000_000_000]))
            inputs = [{"answer": "first", "from": "typed"}, dice]
            cards = []
            for _ in range(2 if kind == "cards" else 0):
                if reshuffled := len(gone) > 5:
                    gone.clear()
                left = 8 - len(gone)
                card = card_at(below(left, game.stream), gone)
                gone.append(card)
                inputs.append({"card": card, "left": left, "from": "sealed"})
                cards.append({"deck": "events", "took": [card], **({"reshuffled": True} if reshuffled else {})})
            if kind == "question":
                inputs.append({"answer": "yes", "from": "typed"})
                game.write("Bert", note={"text": "thinking"})
                game.call(by, inputs, call)
                game.reveal(*names)
                inputs = [*inputs, game.dice(1, 6)]
            game.play(rng.choice(names), inputs, **({"cards": cards} if cards else {}))
    for name in names:
        game.seal(name, forfeit=forfeit)
    return game


class Vectors(unittest.TestCase):
    def test_chain_and_skipped(self) -> None:
        links = chain(ANNA, 3)
        self.assertEqual([link.hex() for link in links], [
            "c7cd0a5568ab5b7c9a5163317118b03c2691bfc0d841594a83f28924229dd128",
            "457d4b0548df58521c4b2c9337fcd2a400547ff74e68b8eb716584f1e459fee0",
            "655bbb9d08ee9d3ca691548e21caedd1395960839a1c5900238795ee6c07c850",
            "39ef089351efa437ff83ea77f9f8fea4264222200c7d88bce9eeca93071fe712",
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        ])
        prev = bytes.fromhex("84fd9bac333ad79154348296204fa7f8c537a96e08983e5f73b3f5aca8e8edf7")
        verifier = verify.Verifier()
        mark = verify.Mark(7, 2, prev, "", mark_of(links[2], prev, ""))
        verifier.circle["Anna"] = verify.Member(1, links[0], 3, 0, 2, [mark])
        verifier.show("Anna", links[3], 3)
        self.assertEqual((verifier.faults, verifier.records["Anna"].covers), ([], 6))

    def test_mark(self) -> None:
        prev = bytes.fromhex("84fd9bac333ad79154348296204fa7f8c537a96e08983e5f73b3f5aca8e8edf7")
        for text, mark in {
            "": "9e41d1d7d4216db0e43b1bfbd39e5c800676b4b566102f78b02a14e03e8da4c0",
            "consent 12 yes": "8a5adec06ffbc73677b5f842986925d81f126889d85a115deecff968e3bcaf49",
            "ask withdraw 8": "6ff5e605d6d027e05d8dc95d2490877e067fae73c6ef35d48f34eb86cc83d7d8",
            "release Bert": "2ca127548afcbffe64e732b7894c3048f855303b22e66df6fc69d7f50918dd5e",
        }.items():
            self.assertEqual(mark_of(chain(ANNA, 3)[2], prev, text).hex(), mark)

    def test_seed_and_stream(self) -> None:
        seed = seed_of(
            bytes.fromhex("e6f07d43b5c21db0fbb9a31feac2dc599787763393dd5acbfad80e247eb02ad5"),
            bytes.fromhex("7edb360f06acaef2cc80dba16cf563f199d347db4443da04da0c8173e3f9e4ed"),
            [chain(ANNA, 3)[1], chain(BERT, 3)[1]],
        )
        self.assertEqual(seed.hex(), "4cbca7be03af3f825d42726463d54cf83224d6285ba6cb958223aafe9d944ed2")
        self.assertEqual(list(itertools.islice(words(seed), 3)), [1052890412, 4118468475, 1419634733])
        stream = words(seed)
        for count, sides, faces in [(5, 6, [3, 4, 6, 4, 2]), (3, 10, [9, 2, 9]), (2, 100, [66, 57])]:
            self.assertEqual([1 + below(sides, stream) for _ in range(count)], faces)
        gone = set(range(1, 22)) - {1, 2, 3, 5, 8, 13, 21}
        self.assertEqual([card_at(below(7, stream), gone) for _ in range(2)], [5, 3])

    def test_rejection(self) -> None:
        stream = words(bytes.fromhex("20b136736e04d756856c8c14c281842757ed06c112a1916a43a3bc007da5c169"))
        faces = [1 + below(1000, stream) for _ in range(8)]
        self.assertEqual(faces, [841, 847, 799, 856, 778, 135, 778, 299])

    def test_log_with_a_question(self) -> None:
        game = question_log()
        fingerprint = "9461167731259dbebd87f0fcee256cea8ec63ab3ad958d34f17350b86c349338"
        self.assertEqual(sha256(game.lines[-1]).hex(), fingerprint)
        report = check(game.lines).report()
        self.assertEqual((report["faults"], report["confirmed"], report["circle"]), ([], 19, []))
        self.assertEqual(report["unconfirmed"], [{"event": 24, "by": "Anna", "do": "release"}])
        self.assertFalse(report["choice_excluded"])
        self.assertEqual(report["players"]["Anna"]["withdrawn_without_consent"], 1)
        self.assertEqual(report["players"]["Bert"]["dropped_while_owing"], 1)
        self.assertEqual(report["players"]["Bert"]["undone"], 1)

    def test_logs_of_the_document(self) -> None:
        text = (HERE.parent / "docs" / "sealed-rolls.md").read_text(encoding="utf-8")
        if "Log format 3" not in text:
            self.skipTest("docs/sealed-rolls.md describes an older format")
        blocks = re.findall(r"```jsonl\n(.*?)```", text, re.S)
        self.assertTrue(blocks)
        for block in blocks:
            self.assertEqual(check(block.encode().splitlines()).faults, [])


def changed(value: Any) -> Iterator[Any]:
    """The value with one place in it changed, for each place."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from ({**value, key: other} for other in changed(item))
            yield {k: v for k, v in value.items() if k != key}
        yield {**value, "extra": 1}
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in changed(item))
        yield [*value, 1]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, str(value))
    elif isinstance(value, str):
        yield ("1" if value[0] == "0" else "0") + value[1:] if value else "0"


def rechained(lines: list[bytes], start: int) -> list[bytes]:
    """The lines with `n` and `prev` made right from the index `start` on, as a forger would."""
    result = lines[:start]
    for n, raw in enumerate(lines[start:], start + 1):
        line = {**json.loads(raw), "n": n, "prev": sha256(result[-1]).hex() if result else ""}
        result.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode())
    return result


class Changes(unittest.TestCase):
    def logs(self) -> Iterator[list[bytes]]:
        yield question_log().lines
        yield random_game(3).lines

    def changes(self, lines: list[bytes]) -> Iterator[tuple[int, list[bytes]]]:
        """Each with the index of the first line that differs."""
        for at, raw in enumerate(lines):
            for line in changed(json.loads(raw)):
                text = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
                yield at, [*lines[:at], text, *lines[at + 1 :]]
            yield at, [*lines[:at], *lines[at + 1 :]]
            yield at + 1, [*lines[: at + 1], raw, *lines[at + 1 :]]
            if at + 1 < len(lines):
                yield at, [*lines[:at], lines[at + 1], raw, *lines[at + 2 :]]

    def test_random_games_are_sound(self) -> None:
        for seed in range(100):
            with self.subTest(seed):
                game = random_game(seed)
                report = check(game.lines).report()
                self.assertEqual(report["faults"], [])
                self.assertEqual(report["unconfirmed"], [])

    def test_a_changed_line_is_found_there_or_at_the_next(self) -> None:
        for lines in self.logs():
            for at, altered in self.changes(lines):
                if at >= len(lines) - 1 and len(altered) <= len(lines):
                    continue  # Only a kept fingerprint covers the last line.
                self.assertIn(first_fault(altered), (at + 1, at + 2), altered)

    def test_a_changed_line_that_a_mark_covers_is_found_after_rechaining(self) -> None:
        for lines in self.logs():
            covered = max(record.covers for record in check(lines).records.values())
            self.assertGreater(covered, len(lines) - 6)
            for at, altered in self.changes(lines):
                if at < covered and (again := rechained(altered, at)) != lines:
                    self.assertIsNotNone(first_fault(again), (at, again))

    def test_a_roll_of_the_tail_cannot_be_changed(self) -> None:
        """After the last opened mark, the faces still follow from the links."""
        game = two()
        play = game.roll()
        changes: list[tuple[str, list[Any]]] = [("dice", [[1, 1], [6, 6]]), ("sides", [5, 7])]
        for key, values in changes:
            for other in values:
                line = json.loads(game.lines[-1])
                if line["do"]["play"]["inputs"][0][key] != other:
                    line["do"]["play"]["inputs"][0][key] = other
                    faults = check([*game.lines[:-1], json.dumps(line).encode()]).faults
                    self.assertEqual([event for event, _ in faults], [play])


class Rules(unittest.TestCase):
    def sound(self, game: Game) -> None:
        self.assertEqual(check(game.lines).faults, [])

    def refused(self, game: Game, why: str, event: int | None = None) -> None:
        """The last line breaks a rule, and no other does."""
        faults = check(game.lines).faults
        self.assertEqual([at for at, _ in faults], [event or len(game.lines)], faults)
        self.assertIn(why, faults[0][1])

    def test_seats(self) -> None:
        game = Game()
        game.join("Anna", RED)
        game.join("Bert", BLUE)
        game.join("Bert", RED)
        self.refused(game, "only an umpire")
        roles: list[Any] = ["king", GREEN, {"player": {}}, {"player": {"side": "Red"}, "umpire": 1}, None, 7]
        for role in roles:
            game = Game()
            game.join("Anna", role)
            self.assertEqual(len(check(game.lines).faults), 1)
        game = two(None, ("Dora", "spectator"))
        game.join("Anna", RED)
        self.sound(game)
        before = game.fork()
        game.join("Anna", "umpire")
        self.refused(game, "keeps the seat")
        before.write("Dora", note={"text": "hello"})
        self.refused(before, "spectator")

    def test_names(self) -> None:
        for by, why in [(" \u3000", "blank"), ("An\u200bna", "hidden"), ("Anna\n", "hidden"), ("", "1 to 60")]:
            game = two()
            game.write(by, note={"text": "hello"})
            self.refused(game, why)
            game = two()
            game.join(by, RED, by="Anna")
            self.refused(game, why)

    def test_seal(self) -> None:
        def seal(game: Game, by: str, **keys: Any) -> Game:
            game.write(by, seal={"anchor": "ab" * 32, "length": 3, **keys})
            return game

        others = (("Carl", RED), ("Dora", "spectator"))
        self.sound(seal(two(None, *others), "Carl", last=None, forfeit=None))
        self.refused(seal(two(None, *others), "Dora"), "spectator")
        self.refused(seal(two(None, *others), "Nina"), "only a player")
        self.refused(seal(two(None, *others), "Carl", last="cd" * 32), "has a last")
        self.refused(seal(two(None, *others), "Carl", anchor=chain(ANNA, 9)[0].hex()), "shown before")
        self.refused(seal(two(None, *others), "Carl", forfeit="stands"), "forfeit")
        self.refused(seal(two(LOST, *others), "Carl", forfeit={"lost": {"minutes": 31}}), "forfeit")
        self.refused(seal(two(LOST, *others), "Carl", forfeit={"lost": {"minutes": True}}), "integer")
        self.refused(seal(two(None, *others), "Carl", length=10_001), "length")
        self.refused(seal(two(None, *others), "Carl", length=0), "length")
        self.refused(seal(two(None, *others), "Carl", anchor="AB" * 32), "hex")
        self.refused(seal(two(), "Anna"), "no last")
        link = chain(ANNA, 9)[1].hex()
        self.sound(seal(two(), "Anna", last=link))
        self.refused(seal(two(), "Anna", last=link, anchor=link), "shown before")
        self.refused(seal(two(), "Anna", last=chain(ANNA, 9)[2].hex()), "does not lead")
        game = two(None, *others)
        game.call("Anna")
        self.refused(seal(game.fork(), "Carl"), "joins the circle while")
        self.refused(seal(game.fork(), "Anna", last=chain(ANNA, 9)[2].hex()), "waits for links")
        game.reveal("Anna", "Bert")
        self.sound(seal(game, "Anna", last=chain(ANNA, 9)[2].hex()))

    def test_circle_is_limited_to_32(self) -> None:
        game = Game()
        for at in range(33):
            game.join(f"P{at}", RED)
            game.write(f"P{at}", seal={"anchor": f"{at:064x}", "length": 1})
        self.refused(game, "32 members")

    def test_call(self) -> None:
        game = Game()
        game.join("Anna", RED)
        game.seal("Anna")
        game.call("Anna")
        self.refused(game, "stands")
        game = two(None, ("Emil", RED))
        game.call("Emil")
        self.sound(game)
        game.call("Emil")
        self.refused(game, "is open")
        game = two()
        game.call("Anna", [{"dice": [1], "from": "typed"}])
        self.refused(game, "dice or cards")
        game = two()
        game.call("Anna", continues=5)
        self.refused(game, "no call is open")
        game = two()
        game.call("Nina")
        self.refused(game, "not joined")
        game = two()
        game.seal("Anna", length=1)
        game.roll()
        game.call("Bert")
        self.refused(game, "no link left")

    def test_continued_call(self) -> None:
        answer = {"answer": "yes", "from": "typed"}

        def continued(by: str = "Anna", inputs: Any = None, after: tuple[str, ...] = ("Anna", "Bert")) -> Game:
            game = two(None, ("Emil", RED))
            call = game.call("Anna", [answer])
            game.reveal(*after)
            dice = game.dice(1, 6) if len(after) == 2 else {}
            game.call(by, inputs(dice) if inputs else [answer, dice, answer], call)
            return game

        self.sound(continued())
        game = continued()
        game.reveal("Anna", "Bert")
        game.call("Anna", json.loads(game.lines[-3])["do"]["call"]["inputs"] + [game.dice(1, 6), answer], 6)
        self.refused(game, "the open call is")
        self.refused(continued("Emil"), "only the caller")
        self.refused(continued(after=("Anna",), inputs=lambda _: [answer, answer]), "waits for links")
        self.refused(continued(inputs=lambda dice: [dice, answer]), "do not start")
        self.refused(continued(inputs=lambda dice: [answer, dice]), "no answer")
        self.refused(continued(inputs=lambda dice: [answer, dice, answer, dice, answer]), "follow an answer")
        wrong = {"dice": [7], "sides": 6, "from": "sealed"}
        self.refused(continued(inputs=lambda _: [answer, wrong, answer]), "the links give")
        game = continued()
        game.reveal("Anna", "Bert")
        inputs = json.loads(game.lines[-3])["do"]["call"]["inputs"]
        by_other = game.fork()
        dice = game.dice(3, 6)
        by_other.play("Bert", [*inputs, dice, answer])
        self.refused(by_other, "only the caller answers")
        game.play("Bert", [*inputs, dice])
        self.sound(game)

    def test_reveal(self) -> None:
        game = two(None, ("Carl", BLUE))
        game.write("Anna", reveal={"link": "ab" * 32, "mark": "ab" * 32})
        self.refused(game, "no call is open")
        game = two(None, ("Carl", BLUE))
        game.call("Anna")
        game.reveal("Anna")
        again = game.fork()
        again.reveal("Anna")
        self.refused(again, "has shown a link")
        game.write("Carl", reveal={"link": "ab" * 32, "mark": "ab" * 32})
        self.refused(game, "only a member")
        game = two()
        game.call("Anna")
        game.used["Anna"] += 1
        game.reveal("Anna")
        self.refused(game, "does not lead")

    def test_an_invented_mark_is_found_at_the_next_link(self) -> None:
        game = two()
        play = game.roll()
        game.ask("Bert", "undo", play)
        game.write("Anna", consent={"ask": play + 1, "yes": True, "mark": "ab" * 32})
        game.marked("Bert", "undo", event=play)
        self.sound(game)
        unconfirmed = [item["event"] for item in check(game.lines).report()["unconfirmed"]]
        self.assertEqual(unconfirmed, [play + 1, play + 2, play + 3])
        game.call("Bert")
        game.reveal("Bert", "Anna")
        self.refused(game, f"does not open the mark of event {play + 2}")

    def test_play(self) -> None:
        typed = {"dice": [3], "from": "typed"}
        game = Game()
        game.write("Anna", play={"request": {"chart": "press"}, "inputs": [typed]})
        self.sound(game)
        free: list[tuple[str, dict[str, Any]]] = [
            ("while the circle stands", {"inputs": [typed]}),
            ("while the circle stands", {"inputs": [{"card": 3, "from": "ours"}]}),
            ("no call is open", {"call": 5}),
            ("unknown from", {"inputs": [{"dice": [3], "from": "found"}]}),
            ("not those of the inputs", {"cards": [{"deck": "events", "took": [1]}]}),
            ("says nothing", {"cards": [{"deck": "events", "took": []}]}),
            ("true or false", {"cards": [{"deck": "events", "took": [1], "reshuffled": 1}]}),
            ("unknown side", {"cards": [{"deck": "events", "took": [1], "side": "Green"}]}),
            ("not typed", {"inputs": [{"answer": "x", "from": "ours"}]}),
            ("exactly one", {"inputs": [{"answer": "x", "card": 1, "from": "typed"}]}),
            ("unknown key", {"inputs": [{"dice": [1], "sides": 6, "from": "typed"}]}),
            ("has no", {"inputs": [{"dice": [1], "from": "sealed"}]}),
            ("unknown key", {"luck": 1}),
        ]
        for why, keys in free:
            game = two()
            game.write("Anna", play={"request": {"chart": "press"}, **keys})
            self.refused(game, why)
        called: list[tuple[str, dict[str, Any]]] = [
            ("request", {"request": {"chart": "other"}}),
            ("does not name", {"call": 5}),
            ("does not name", {"call": None}),
            ("the links give", {"inputs": [{"dice": [7], "sides": 6, "from": "sealed"}]}),
            ("not sealed", {"inputs": [typed]}),
        ]
        game = Game()
        sealed = {"dice": [3], "sides": 6, "from": "sealed"}
        game.write("Anna", play={"request": {"chart": "press"}, "inputs": [sealed]})
        self.refused(game, "without a call")
        for why, keys in called:
            game = two()
            game.call("Anna")
            game.reveal("Anna", "Bert")
            game.play("Bert", **{"inputs": [], **keys})
            self.refused(game, why)

    def test_open_call_stops_other_lines(self) -> None:
        mark = "ab" * 32
        lines: dict[str, Any] = {
            "add": [],
            "phase": {"to": "fire"},
            "ask": {"want": "undo", "event": 5, "mark": mark},
            "undo": {"event": 5, "mark": mark},
            "release": {"who": "Bert", "mark": mark},
        }
        for kind, keys in lines.items():
            game = two()
            game.call("Anna")
            game.write("Anna", note={"text": "allowed"})
            game.join("Emil", RED)
            game.write("Anna", "", **{kind: keys})
            self.refused(game, "is open")

    def test_cards(self) -> None:
        def play(game: Game, left: int, gone: list[int], card: int = 0, **keys: Any) -> int:
            game.call("Anna")
            game.reveal("Anna", "Bert")
            card = card or card_at(below(left, game.stream), gone)
            entry = {"deck": "events", "took": [card], **keys}
            game.play("Anna", [{"card": card, "left": left, "from": "sealed"}], cards=[entry])
            return card

        game = two()
        game.write("Anna", deck={"deck": "events", "act": "burn"})
        self.refused(game, "act is not")
        game = two()
        game.write("Anna", deck={"deck": "events", "act": "take_out", "cards": [9]})
        play(game, 6, [])
        self.refused(game, "above 7")
        game = two()
        game.write("Anna", deck={"deck": "events", "act": "take_out", "cards": [2, 3, 4]})
        game.write("Anna", deck={"deck": "events", "act": "put_back", "cards": [4]})
        first = play(game, 6, [2, 3])
        self.sound(game)
        self.assertEqual(check(game.lines).report()["deck_sizes"], {"events": 8})
        for left, gone, why in [(6, [2, 3], "cards are left"), (4, [2, 3], "cards are left")]:
            other = game.fork()
            play(other, left, gone)
            self.refused(other, why)
        other = game.fork()
        play(other, 5, [2, 3, first], card=2)
        self.refused(other, "the links give")
        other = game.fork()
        play(other, 8, [], reshuffled=True)
        self.sound(other)
        event = len(game.lines)
        game.consent("Bert", game.ask("Anna", "undo", event))
        game.marked("Anna", "undo", event=event)
        redone = game.fork()
        play(game, 6, [2, 3])
        self.sound(game)
        redone.consent("Bert", redone.ask("Anna", "redo", event))
        redone.marked("Anna", "redo", event=event)
        play(redone, 5, [2, 3, first])
        self.sound(redone)

    def test_undo_in_a_circle_that_stands(self) -> None:
        others = (("Emil", RED), ("Grit", GREEN))
        game = two(None, *others, sides=("Red", "Blue", "Green"))
        note = game.write("Emil", note={"text": "by a player of Red"})
        own = game.fork()
        own.marked("Anna", "undo", event=note)
        self.sound(own)
        own.ask("Anna", "redo", note)
        self.refused(own, "needs no consent")
        emil = game.fork()
        emil.marked("Emil", "undo", event=note)
        self.refused(emil, "without the consent of 'Anna', 'Bert', 'Green'")
        play = game.roll()
        for consents, missing in [((), "'Bert', 'Green'"), (("Bert",), "'Green'"), (("Grit",), "'Bert'")]:
            part = game.fork()
            ask = part.ask("Anna", "undo", play)
            for name in consents:
                part.consent(name, ask)
            part.marked("Anna", "undo", event=play)
            self.refused(part, f"without the consent of {missing}")
        ask = game.ask("Anna", "undo", play)
        emil = game.fork()
        emil.consent("Emil", ask)
        self.refused(emil, "may not answer")
        game.consent("Bert", ask)
        game.consent("Grit", ask)
        changed_mind = game.fork()
        changed_mind.consent("Bert", ask, False)
        changed_mind.marked("Anna", "undo", event=play)
        self.refused(changed_mind, "without the consent of 'Bert'")
        ended = game.fork()
        ended.seal("Bert")
        ended.marked("Anna", "undo", event=play)
        self.refused(ended, "without the consent")
        game.marked("Anna", "undo", event=play)
        self.sound(game)

    def test_only_an_umpire_of_the_circle_speaks_for_all(self) -> None:
        for late in (False, True):
            game = two(None, *([] if late else [("Carl", "umpire")]))
            if late:
                game.join("Carl", "umpire")
            game.seal("Carl")
            play = game.roll()
            game.consent("Carl", game.ask("Anna", "undo", play))
            game.marked("Anna", "undo", event=play)
            self.refused(game, "consent of 'Bert'") if late else self.sound(game)

    def test_undo_without_a_circle(self) -> None:
        roll = {"request": {"chart": "press"}, "inputs": [{"dice": [3], "from": "ours"}]}
        game = Game()
        game.join("Anna", RED)
        play = game.write("Anna", play=roll)
        game.marked("Anna", "undo", event=play)
        self.sound(game)
        game.marked("Anna", "redo", event=play)
        game.join("Bert", BLUE)
        self.sound(game)
        alone = game.fork()
        alone.marked("Anna", "undo", event=play)
        self.refused(alone, "without the consent of 'Blue'")
        game.consent("Bert", game.ask("Anna", "undo", play))
        game.marked("Anna", "undo", event=play)
        self.sound(game)
        game.write("Anna", undo={"event": play, "mark": "ab" * 32})
        self.refused(game, "has a mark")

    def test_sides_then_and_now(self) -> None:
        roll = {"request": {"chart": "press"}, "inputs": [{"dice": [3], "from": "ours"}]}
        game = Game()
        game.join("Anna", RED)
        game.join("Carl", "umpire")
        play = game.write("Anna", play=roll)
        umpire = game.fork()
        umpire.marked("Carl", "undo", event=play)
        self.sound(umpire)  # Only one side has a player.
        game.join("Bert", BLUE)
        play = game.write("Anna", play=roll)
        game.join("Bert", "spectator", by="Bert")
        left = game.fork()
        left.marked("Anna", "undo", event=play)
        self.refused(left, "consent of 'Blue'")  # Blue had a player at the event.
        game.join("Bert", BLUE, by="Carl")
        game.join("Emil", RED)
        ask = game.ask("Anna", "undo", play)
        same_side = game.fork()
        same_side.consent("Emil", ask)
        self.refused(same_side, "may not answer")
        umpire = game.fork()
        umpire.consent("Carl", ask)
        umpire.marked("Anna", "undo", event=play)
        self.sound(umpire)
        game.consent("Bert", ask)
        game.join("Bert", RED, by="Bert")
        game.marked("Anna", "undo", event=play)
        self.refused(game, "consent of 'Blue'")  # Bert no longer speaks for Blue.

    def test_release_of_the_only_member(self) -> None:
        game = Game()
        game.join("Anna", RED)
        game.join("Bert", BLUE)
        game.join("Carl", "umpire")
        seal = game.seal("Anna")
        ask = game.ask("Bert", "release", seal)
        umpire = game.fork()
        umpire.consent("Carl", ask)
        umpire.marked("Bert", "release", who="Anna")
        self.refused(umpire, "consent of 'Anna'")
        game.consent("Anna", ask)
        game.seal("Anna")
        game.marked("Bert", "release", who="Anna")
        self.sound(game)

    def test_a_line_names_the_right_event(self) -> None:
        """Another event than the last that counts, the open call, the last seal or the open request is refused."""
        def after(kind: str, **keys: Any) -> Game:
            game = two()
            game.write("Anna", note={"text": "event 6"})
            game.roll()
            game.seal("Bert")
            game.marked("Anna", kind, **keys)
            return game

        self.sound(after("ask", want="undo", event=10))
        self.sound(after("ask", want="release", event=11))
        for event in (0, 5, 6, 7, 9, 11, 12, 99):
            self.assertEqual(len(check(after("undo", event=event).lines).faults), 1)
            self.assertEqual(len(check(after("ask", want="undo", event=event).lines).faults), 1)
            self.assertEqual(len(check(after("ask", want="redo", event=event).lines).faults), 1)
            self.assertEqual(len(check(after("consent", ask=event, yes=True).lines).faults), 1)
        for event in (3, 5, 10):
            self.refused(after("ask", want="release", event=event), "not the last seal")
        self.refused(after("ask", want="dance", event=11), "want is not")
        self.refused(after("release", who="Nina"), "not a member")
        for event in (7, 13):
            game = two()
            game.roll()
            call = game.call("Anna")
            game.reveal("Bert")
            wrong = game.fork()
            wrong.marked("Anna", "withdraw", call=event)
            self.refused(wrong, "the open call is")
            wrong = game.fork()
            wrong.ask("Anna", "withdraw", event)
            self.refused(wrong, "the open call is")
            ask = game.ask("Anna", "withdraw", call)
            game.write("Bert", consent={"ask": ask, "yes": 1, "mark": "ab" * 32})
            self.refused(game, "true or false")

    def test_marks_are_needed(self) -> None:
        game = two()
        note = game.write("Anna", note={"text": "x"})
        game.write("Anna", undo={"event": note})
        self.refused(game, "has no mark")

    def test_withdraw(self) -> None:
        def withdraw(forfeit: Any, shown: tuple[str, ...], by: str, at: str = "", asked: bool = False) -> Game:
            game = two(forfeit, ("Carl", RED))
            game.seal("Carl", forfeit=forfeit)
            call = game.call("Anna")
            game.reveal(*shown)
            if asked:
                game.consent("Anna", game.ask(by, "withdraw", call))
            game.marked(by, "withdraw", at, call=call)
            return game

        late = "2026-11-16T02:30:07.9Z"
        self.sound(withdraw(None, (), "Anna"))
        self.sound(withdraw(None, ("Anna",), "Anna"))
        self.refused(withdraw(None, ("Bert",), "Anna"), "consent of 'Bert', 'Carl'")
        self.refused(withdraw(None, (), "Bert"), "consent of 'Anna', 'Carl'")
        self.sound(withdraw(None, ("Bert",), "Bert"))
        self.refused(withdraw(None, ("Anna", "Bert"), "Bert"), "consent of 'Anna'")
        self.sound(withdraw(None, ("Anna", "Bert"), "Bert", asked=True))
        self.refused(withdraw(None, ("Anna", "Bert", "Carl"), "Bert", asked=True), "consent of 'Carl'")
        self.sound(withdraw("stands", (), "Anna"))
        self.refused(withdraw("stands", ("Anna",), "Anna"), "consent of")
        self.refused(withdraw("stands", ("Bert",), "Bert", late), "consent of")
        self.sound(withdraw(LOST, ("Bert",), "Bert", late))
        for early in ("2026-11-16T02:30:06.999Z", "2026-11-16T02:30:07+00:00", "2026-11-31T02:30:07Z", "later",
                      "2026-11-16T02:30:60Z", "2026-11-16T24:30:07Z", "2026-11-16t02:30:07Z", "2026-11-16T02:30:07.Z",
                      "２０26-11-16T02:30:07Z", " 2026-11-16T02:30:07Z"):
            self.refused(withdraw(LOST, ("Bert",), "Bert", early), "consent of 'Anna', 'Carl'")

    def test_a_continued_call_needs_every_consent_to_withdraw(self) -> None:
        game = two()
        call = game.call("Anna")
        game.reveal("Anna", "Bert")
        call = game.call("Anna", [game.dice(1, 6), {"answer": "yes", "from": "typed"}], call)
        alone = game.fork()
        alone.marked("Anna", "withdraw", call=call)
        self.refused(alone, "consent of 'Bert'")
        game.consent("Bert", game.ask("Anna", "withdraw", call))
        game.marked("Anna", "withdraw", call=call)
        self.sound(game)

    def test_release(self) -> None:
        game = two()
        seal = 5
        alone = game.fork()
        alone.marked("Anna", "release", who="Bert")
        self.refused(alone, "consent of 'Bert'")
        ask = game.ask("Anna", "release", seal)
        game.consent("Bert", ask)
        early = game.fork()
        early.marked("Anna", "release", who="Bert")
        self.refused(early, f"not opened yet: {ask}, {ask + 1}")
        game.seal("Anna")
        half = game.fork()
        half.marked("Anna", "release", who="Bert")
        self.refused(half, f"not opened yet: {ask + 1}")
        game.seal("Bert")
        game.marked("Anna", "release", who="Bert")
        self.sound(game)
        game.leave("Anna", "Bert")
        game.write("Anna", play={"request": {"chart": "press"}, "inputs": [{"dice": [3], "from": "ours"}]})
        game.seal("Bert", forfeit="stands")
        game.marked("Bert", "release", who="Bert")
        self.sound(game)

    def test_release_from_a_circle_of_three(self) -> None:
        game = two(None, ("Carl", RED))
        seal = game.seal("Carl")
        ask = game.ask("Anna", "release", seal)
        carl = game.fork()
        carl.consent("Carl", ask)
        carl.marked("Anna", "release", who="Carl")
        self.refused(carl, "consent of 'Bert'")
        game.consent("Bert", ask)
        game.seal("Bert")
        game.seal("Anna")
        game.seal("Carl")
        game.marked("Anna", "release", who="Carl")
        game.leave("Carl")
        game.roll()
        self.sound(game)


class Report(unittest.TestCase):
    def test_an_open_call_and_the_tail(self) -> None:
        game = two()
        play = game.roll()
        game.call("Anna")
        game.reveal("Anna")
        report = check(game.lines).report()
        anna, bert = report["players"]["Anna"], report["players"]["Bert"]
        self.assertEqual((report["open_call"], anna["owes"], bert["owes"]), (play + 1, None, play + 1))
        self.assertEqual((anna["calls"], anna["links_left"]), (2, 7))
        # Anna's second link opens the mark of her first, in event 7. No link has opened a mark of Bert yet.
        self.assertEqual((anna["covers"], bert["covers"], report["confirmed"]), (6, 0, 0))
        self.assertTrue(report["choice_excluded"])
        self.assertIn("owes a link for call 10", "\n".join(verify.in_words(report)))


class Hostile(unittest.TestCase):
    def test_each_is_a_fault(self) -> None:
        line = Game().lines[0]
        for raw in [
            b"", b"\n", b"\r", b"{", b"[]", b"1", b"null", b'"x"', b"\xff\xfe",
            b"\xef\xbb\xbf" + line, line + b"\r", line + b"x",
            b"[" * 100_000, b"[" * 500 + b"]" * 500, b'{"a":' * 100_000, line.replace(b'"n":1', b'"n":1,"n":1'),
            line.replace(b'"n":1', b'"n":1.0'), line.replace(b'"n":1', b'"n":1e0'), line.replace(b'"n":1', b'"n":true'),
            line.replace(b'"n":1', b'"n":' + b"9" * 10_000), line.replace(b'"n":1', b'"n":NaN'),
            line.replace(b'"n":1', b'"n":-Infinity'), line.replace(b"Press", b"\\ud800"),
            line.replace(b"Press", b"\x00"),
            line.replace(b'"format":3', b'"format":2'), line.replace(b'"format":3', b'"format":true'),
            line.replace(b'["Red","Blue"]', b"{}"), line.replace(b"Blue", b"Red"),
            line.replace(b'"begin"', b'"note"'), line.replace(b'"begin"', b'"end"'),
            line.replace(b'["Red","Blue"]', b"[[]]"),
            line.replace(b'"options":{}', b'"options":' + b"[" * 300 + b"]" * 300),
            line.replace(b'"options":{}', b'"options":1e999'), line.replace(b'"Anna"', b'""'),
            line.replace(b'"Anna"', b'"' + b"a" * 61 + b'"'), line.replace(b'"do":{', b'"do":{"note":{"text":""},'),
        ]:
            with self.subTest(raw[:80]):
                self.assertTrue(check([raw]).faults)
        self.assertTrue(check([]).faults)
        game = Game()
        game.write("Anna", **json.loads(line)["do"])
        self.assertEqual(check(game.lines).faults, [(2, "begin is line 1 and no other")])
        verifier = verify.Verifier()
        verifier.read([line])
        self.assertIn("line feed", verifier.faults[0][1])

    def test_wrong_types_never_crash(self) -> None:
        """Every value of every line is replaced with values of every type."""
        lines = question_log().lines
        odd: list[Any] = [None, True, 0, -1, 2**63, "", "x", "\x1b[2J", [], [[]], {}, {"lost": 1}, [None], "sealed"]

        def places(value: Any) -> Iterator[Any]:
            yield from odd
            if isinstance(value, dict):
                for key, item in value.items():
                    yield from ({**value, key: other} for other in places(item))
            elif isinstance(value, list):
                for at, item in enumerate(value):
                    yield from ([*value[:at], other, *value[at + 1 :]] for other in places(item))

        for at in range(0, len(lines)):
            prefix = check(lines[:at])
            for line in places(json.loads(lines[at])):
                verifier = copy.deepcopy(prefix) if at else verify.Verifier()
                verifier.faults.clear()
                verifier.read([json.dumps(line).encode() + b"\n"])
                list(verify.in_words(verifier.report()))

    def test_program(self) -> None:
        def run(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
            command = [sys.executable, str(HERE / "verify.py"), *arguments]
            return subprocess.run(command, input=data, capture_output=True, check=False)

        lines = question_log().lines
        log = b"".join(line + b"\n" for line in lines)
        sound = run("-", data=log)
        self.assertEqual((sound.returncode, sound.stderr), (0, b""))
        self.assertIn(b"up to event 19", sound.stdout)
        broken = run("--json", "-", data=log.replace(b'"dice":[2]', b'"dice":[3]'))
        self.assertEqual(broken.returncode, 1)
        self.assertEqual(json.load(io.BytesIO(broken.stdout))["faults"][0]["event"], 13)
        self.assertEqual(run("-", data=b"\xff").returncode, 1)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run(folder).returncode, 2)
            self.assertEqual(run(folder + "/none").returncode, 2)


if __name__ == "__main__":
    unittest.main()
