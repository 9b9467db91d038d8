import doctest
import importlib
import inspect
import json
import os
import pkgutil
import signal
import sys
import threading
from fractions import Fraction

import pytest

import adjutant

SHOT = {"ammo": "hesa", "firer": {"hesa": 6}, "target": {"def": 4}}
FIGHT = {"ours.hesa": 6, "ours.def": 4, "theirs.hesa": 6, "theirs.def": 4}


@pytest.fixture(scope="module")
def panzer8():
    return adjutant.load("panzer8")


@pytest.fixture(scope="module")
def fire(panzer8):
    return panzer8.chart("fire")


def test_odds_are_fractions_that_sum_to_one(fire):
    odds = fire.odds(**SHOT)
    assert odds.chance("suppressed") == Fraction(17, 100)
    assert sum(odds.distribution.values()) == 1
    assert [row["chance"] for row in odds.rows()] == list(odds.distribution.values())
    assert odds.mean is None
    assert odds.plot()._repr_svg_().startswith("<svg") and "Suppressed" in odds.plot().svg


def test_inputs_may_be_nested_flat_or_both(fire):
    odds = fire.odds(**SHOT).data
    assert fire.odds({"ammo": "hesa", "firer.hesa": 6, "target.def": 4}).data == odds
    assert fire.odds({"firer.hesa": 6, "target.def": Fraction(4)}, ammo="hesa").data == odds
    figures = adjutant.load("chain-reaction").chart("in-sight")
    several = figures.roll(figure=[{"rep": 5}, {"rep": 4}], seed=3)
    assert several.data == figures.roll({"figure.1.rep": 5, "figure.2.rep": 4}, seed=3).data


def test_numbers_of_numpy_are_numbers(fire):
    numpy = pytest.importorskip("numpy")
    table = fire.vary({"firer.hesa": numpy.arange(1, 4)}, ammo="hesa", target={"def": numpy.int64(4)})
    assert [row["firer.hesa"] for row in table] == [1, 2, 3]


def test_own_dice_give_the_result_of_the_sheet(panzer8, fire):
    roll = fire.roll(**SHOT, dice=[7, 3])
    assert (roll.result, roll.result_title, roll.dice) == ("out-of-action", "Out of Action", [7, 3])
    assert panzer8.chart("rally").roll(seed=4).data == panzer8.chart("rally").roll(seed=4).data


def test_numbers_have_a_mean_and_a_distribution():
    odds = adjutant.load(text=DIE).chart("die").odds()
    assert odds.mean == Fraction(7, 2)
    assert odds.distribution == {face: Fraction(1, 6) for face in range(1, 7)}
    assert odds.chance(7) == 0
    assert odds.values[1].at_least == Fraction(5, 6)


DIE = """
[pack]
id = "one-die"
title = "One die"

[chart.die]
title = "A die"
[[chart.die.step]]
as = "face"
roll = "1d6"
[chart.die.read]
value = "face"
"""


def test_open_questions_make_branches():
    accuracy = adjutant.load("combat-leader").chart("accuracy")
    odds = accuracy.odds(mod_fp=3)
    assert [branch.answers for branch in odds.branches] == [{"jam": True}, {"jam": False}]
    with pytest.raises(adjutant.InputError, match="jam"):
        odds.distribution
    assert sum(accuracy.odds(mod_fp=3, answers={"jam": "1/6"}).distribution.values()) == 1


def test_a_table_is_rows_that_pandas_takes(fire):
    pandas = pytest.importorskip("pandas")
    table = fire.vary({"firer.hesa": range(1, 9), "target": {"def": "3..4"}}, ammo="hesa")
    assert len(table) == 16 and list(table[0])[:2] == ["firer.hesa", "target.def"]
    assert table[11]["Suppressed (target)"] == fire.odds(**SHOT).chance("suppressed")
    frame = pandas.DataFrame(table)
    assert frame.shape == (16, 6) and frame["firer.hesa"].tolist()[:3] == [1, 1, 2]
    assert table.to_pandas()["No effect"].dtype == float
    assert table.plot()._repr_svg_().startswith("<svg")


def test_modifiers_series_and_samples(fire):
    changes = fire.modifiers(**SHOT)
    assert changes.now.data == fire.odds(**SHOT).data and len(changes.rows()) == len(changes.changes) > 0
    assert all(sum(v for k, v in row.items() if k != "input") == 0 for row in changes.rows())
    series = fire.times(3, **SHOT)
    assert sum(row["chance"] for row in series.rows() if row["id"] == "suppressed") == 1
    sample = fire.sim(**SHOT, n=10_000, seed=7)
    numpy = pytest.importorskip("numpy")
    assert isinstance(sample.counts, numpy.ndarray) and sample.counts.sum() == 10_000
    assert sample.counts.tolist() == fire.sim(**SHOT, n=10_000, seed=7).counts.tolist()


def test_counts_are_a_list_without_numpy(fire, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert isinstance(fire.sim(**SHOT, n=100).counts, list)


def test_fights_are_exact_within_their_limits(panzer8):
    fight = panzer8.fight("fire-fight")
    odds = fight.odds(FIGHT, ours=2, theirs=1)
    assert odds.exact and sum(odds.ends.values()) + odds.never == 1
    assert isinstance(odds.rounds, Fraction) and set(odds.lost) == {"ours", "theirs"}
    table = fight.vary({"theirs": [1, 2]}, FIGHT, ours=2)
    assert table[0]["Ours win"] == odds.ends["ours"]
    assert fight.sim(FIGHT, ours=1, theirs=1, n=200, seed=1).samples == 200


def test_cards():
    pack = adjutant.load("combat-leader")
    cards = pack.draw("action", 3, seed=5, gone=[1])
    assert len(cards) == 3 and cards.left == cards.data["left"] and 1 not in [card["card"] for card in cards]
    assert [card["card"] for card in pack.draw("action", 3, seed=5, gone=[1])] == [card["card"] for card in cards]


def test_every_way_to_load_a_pack(panzer8, tmp_path):
    (tmp_path / "one-die").mkdir()
    (tmp_path / "one-die" / "pack.toml").write_text(DIE)
    bundle = tmp_path / "die.adjutant"
    bundle.write_text(adjutant.load(text=DIE).bundle())
    ways = [DIE, tmp_path / "one-die", str(tmp_path / "one-die" / "pack.toml"), bundle]
    packs = [adjutant.load(way) for way in ways] + [adjutant.load(files={"pack.toml": DIE})]
    assert {json.dumps(pack.data) for pack in packs} == {json.dumps(packs[0].data)}
    assert adjutant.packs() == [adjutant.load(id).id for id in adjutant.packs()]
    with pytest.raises(TypeError):
        adjutant.load("panzer8", text=DIE)


def test_a_pack_with_faults_lists_them_all():
    with pytest.raises(adjutant.PackError) as caught:
        adjutant.load(text='[pack]\nid = 3\ntitle = "x"\n')
    faults = caught.value.faults
    assert ("pack.toml", 2, 6) in [(fault.file, fault.line, fault.column) for fault in faults] and len(faults) == 2
    assert all(fault.message in str(caught.value) for fault in faults)
    found = adjutant.check('[pack]\nid = 3\ntitle = "x"\n')
    assert not found and found.faults == faults
    assert adjutant.check(DIE)


def test_every_error_has_its_class_and_its_data(panzer8, fire):
    with pytest.raises(adjutant.NotFoundError) as caught:
        panzer8.chart("fier")
    assert caught.value.nearest == "fire" and isinstance(caught.value, LookupError)
    with pytest.raises(adjutant.NotFoundError):
        panzer8.fight("fire")
    with pytest.raises(adjutant.NotFoundError):
        adjutant.load("panzer")
    with pytest.raises(adjutant.InputError) as caught:
        fire.odds(ammo="x", firer={"hes": 6})
    assert isinstance(caught.value, ValueError) and len(caught.value.sentences) == 2
    assert [(fault.name, fault.nearest) for fault in caught.value.inputs] == [("ammo", None), ("firer.hes", "firer.hesa")]
    assert "hesa" in caught.value.accepted and caught.value.inputs[0].accepts["kind"] == "choice"
    with pytest.raises(adjutant.NeedsError) as caught:
        fire.roll(**SHOT, dice=[7])
    assert caught.value.needs[0]["wanted"] == "dice" and caught.value.stopped["steps"]
    with pytest.raises(adjutant.InputError):
        fire.roll(**SHOT, dice=[7, 3, 1])
    with pytest.raises(adjutant.InputError):
        fire.roll(**SHOT, dice=["x", 3])
    with pytest.raises(adjutant.InputError):
        fire.vary({}, **SHOT)
    with pytest.raises(adjutant.RequestError):
        panzer8.ask({"nonsense": {}})
    with pytest.raises(adjutant.LimitError):
        panzer8.fight("fire-fight").odds(FIGHT, ours=2, theirs=2, max_time=0)
    with pytest.raises(TypeError):
        fire.odds(ammo=None)
    classes = [one for _, one in inspect.getmembers(adjutant, inspect.isclass) if issubclass(one, Exception)]
    assert all(issubclass(one, adjutant.AdjutantError) for one in classes)


def test_notebooks_show_everything_and_no_text_becomes_markup(panzer8, fire):
    shown = [
        panzer8, fire, fire.odds(**SHOT), fire.roll(**SHOT, dice=[7, 3]), fire.modifiers(**SHOT), fire.times(2, **SHOT),
        fire.vary({"firer.hesa": [1, 2]}, **SHOT), fire.sim(**SHOT, n=10), panzer8.fight("fire-fight"),
        panzer8.fight("fire-fight").odds(FIGHT, ours=1, theirs=1),
        panzer8.fight("fire-fight").vary({"ours": [1]}, FIGHT, theirs=1),
        adjutant.load("combat-leader").draw("action"), adjutant.check(DIE),
    ]
    for value in shown:
        html = value._repr_html_()
        assert html.startswith("<table>") and html.count("<td") == html.count("</td>")
    hostile = adjutant.load(text=DIE.replace("A die", "<script>alert(1)</script>")).chart("die")
    for value in [hostile, hostile.odds(), hostile.roll(dice=[3])]:
        assert "<script" not in value._repr_html_()


def test_a_seed_gives_the_same_counts_on_any_number_of_threads(panzer8, fire):
    fight = panzer8.fight("fire-fight")
    small = {"samples": 3000, "max_memory": 0, "seed": 7}
    for ask in [
        lambda threads: fire.sim(**SHOT, n=200_000, seed=7, threads=threads).rows(),
        lambda threads: fight.sim(FIGHT, ours=2, theirs=2, n=3000, seed=7, threads=threads).rows(),
        lambda threads: fight.odds(FIGHT, ours=2, theirs=2, threads=threads, **small).rows(),
        lambda threads: list(fight.vary({"ours": [1, 2]}, FIGHT, theirs=2, threads=threads, **small)),
    ]:
        assert ask(1) == ask(2) == ask(3) == ask(None)


@pytest.mark.parametrize(
    "wrong, error, text",
    [
        (lambda p, f: f.sim(**SHOT, n=0), adjutant.InputError, "n: 0 is not accepted: a whole number from 1"),
        (lambda p, f: f.sim(**SHOT, n=-5), adjutant.InputError, "n: -5 is not accepted"),
        (lambda p, f: f.sim(**SHOT, n=10**30), adjutant.InputError, "is not accepted"),
        (lambda p, f: f.sim(**SHOT, n=1.5), TypeError, "n is a whole number, not float"),
        (lambda p, f: f.sim(**SHOT, threads=0), adjutant.InputError, "threads: 0 is not accepted"),
        (lambda p, f: f.roll(**SHOT, seed=-1), adjutant.InputError, "seed: -1 is not accepted"),
        (lambda p, f: f.roll(**SHOT, seed="x"), TypeError, "seed is a whole number, not str"),
        (lambda p, f: f.roll(**SHOT, dice="73"), TypeError, "dice is a list of faces"),
        (lambda p, f: f.roll(**SHOT, dice=7), TypeError, "dice is a list of faces"),
        (lambda p, f: f.odds("ammo=hesa"), TypeError, "inputs are a mapping"),
        (lambda p, f: f.odds(ammo=None), TypeError, "ammo is None: leave out what is not known"),
        (lambda p, f: f.odds(firer={"hesa": float("nan")}), adjutant.InputError, "nan is not a number"),
        (lambda p, f: f.odds(gone=3), TypeError, "gone is a list of card numbers"),
        (lambda p, f: f.vary("firer.hesa"), TypeError, "what varies is a mapping"),
        (lambda p, f: p.fight("fire-fight").odds(FIGHT, max_time=-1), adjutant.InputError, "max_time: -1"),
        (lambda p, f: p.fight("fire-fight").odds(FIGHT, max_time="1"), TypeError, "max_time is a number of seconds"),
        (lambda p, f: p.draw("action", 0), adjutant.InputError, "count: 0 is not accepted"),
        (lambda p, f: p.chart("fier"), adjutant.NotFoundError, "did you mean `fire`"),
        (lambda p, f: p.chart("fire-fight"), adjutant.NotFoundError, "fire-fight"),
        (lambda p, f: adjutant.load("no/such/folder"), adjutant.NotFoundError, "no/such/folder"),
        (lambda p, f: adjutant.load("missing.adjutant"), FileNotFoundError, "missing.adjutant"),
        (lambda p, f: adjutant.load(7), TypeError, "int"),
        (lambda p, f: adjutant.load(None), TypeError, "give one of"),
    ],
)
def test_misuse_is_an_exception_that_says_what_is_accepted(panzer8, fire, wrong, error, text):
    with pytest.raises(error) as caught:
        wrong(panzer8, fire)
    assert text in str(caught.value)


def test_numbers_of_numpy_are_numbers(fire):
    numpy = pytest.importorskip("numpy")
    one = fire.sim(ammo="hesa", firer={"hesa": numpy.int64(6)}, target={"def": numpy.float64(4)}, n=numpy.int32(100), seed=7)
    assert one.rows() == fire.sim(**SHOT, n=100, seed=7).rows()
    table = fire.vary({"firer.hesa": numpy.arange(1, 4)}, **SHOT)
    assert [row["firer.hesa"] for row in table] == [1, 2, 3]


def test_ctrl_c_stops_long_work_and_other_threads_go_on_meanwhile(panzer8, fire):
    # Python leaves SIGINT alone where its parent ignored it (`nohup`, a shell's background job). This test needs Python's handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        # The timer is a thread of its own: it fires only if the engine lets other threads run.
        for long in [
            lambda: fire.sim(**SHOT, n=10**12),
            lambda: panzer8.fight("fire-fight").sim(FIGHT, ours=2, theirs=2, n=10**12),
        ]:
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                long()
            timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_examples_of_the_docstrings():
    for name in ["adjutant", "adjutant._pack"]:
        assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_everything_public_is_documented_and_typed():
    for name in adjutant.__all__:
        value = getattr(adjutant, name)
        if not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        assert inspect.getdoc(value), name
        members = inspect.getmembers(value, inspect.isfunction) if inspect.isclass(value) else [(name, value)]
        for member, function in members:
            if member.startswith("_") or not function.__module__.startswith("adjutant"):
                continue
            assert inspect.getdoc(function), f"{name}.{member}"
            assert "return" in function.__annotations__, f"{name}.{member}"
    assert any(module.name == "adjutant._native" for module in pkgutil.iter_modules(adjutant.__path__, "adjutant."))
