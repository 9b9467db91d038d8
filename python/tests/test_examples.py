"""The examples of the documents run, and the notebook makes the tables of the documents."""

import re
from fractions import Fraction
from pathlib import Path

import notebook as maker
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_examples_of_the_documents_run(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/libraries.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 3
    names: dict = {}
    for block in blocks:
        exec(compile(block, "docs/libraries.md", "exec"), names)
    assert (tmp_path / "fire.svg").read_text().startswith("<svg")


def printed(page, command):
    """What a document prints below a command."""
    text = (ROOT / page).read_text(encoding="utf-8").split(f"$ {command}\n")[1]
    return re.split(r"\n```|\n\$ ", text)[0]


@pytest.fixture(scope="module")
def made():
    """The notebook as it is made now, and the names that its cells define."""
    return maker.notebook(maker.SOURCE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def notebook(made):
    return made[1]


def test_the_notebook_shows_what_its_cells_give(made):
    kept = maker.NOTEBOOK.read_text(encoding="utf-8")
    assert kept == maker.written(made[0]), "python python/tests/notebook.py makes it again"
    kinds = {kind for cell in made[0]["cells"] for output in cell.get("outputs", []) for kind in output["data"]}
    assert kinds == {"text/plain", "text/html", "image/svg+xml"}


def test_the_odds_of_the_readme(notebook):
    shown = printed("README.md", "adjutant odds panzer8 fire ammo=hesa firer.hesa=6 target.def=4")
    lines = re.findall(r"^  (\S.*?)(?: \(target\))? +[\d.]+ % .*?(\d+/\d+)$", shown, re.MULTILINE)
    assert [(o.title, o.chance) for o in notebook["shot"].results] == [(t, Fraction(f)) for t, f in lines]
    assert len(lines) == 4


def test_the_fight_of_the_readme(notebook):
    command = next(line[2:] for line in (ROOT / "README.md").read_text().splitlines() if "$ adjutant fight asl" in line)
    shown = printed("README.md", command)
    ends = re.findall(r"^  (\S.*?) +[\d.]+ % .*?(\d+/\d+)$", shown, re.MULTILINE)
    rows = [(row["title"], row["chance"]) for row in notebook["melee"].rows()]
    assert rows == [(title, Fraction(fraction)) for title, fraction in ends] and len(ends) == 3
    rounds = re.search(r"Rounds .* (\d+/\d+)", shown).group(1)
    lost = re.search(r"Attackers: lost .* (\d+/\d+)", shown).group(1)
    assert notebook["melee"].rounds == Fraction(rounds)
    assert notebook["melee"].lost["attackers"] == Fraction(lost)


def test_the_table_of_the_tutorial(notebook):
    shown = printed("docs/guide/tutorial.md", "adjutant odds lantern-hill shoot --vary wall=no,yes")
    lines = re.findall(r"^  (no|yes) +([\d.]+) % +([\d.]+) % +([\d.]+) %", shown, re.MULTILINE)
    found = [
        (row["wall"], *(f"{float(row[name]) * 100:.1f}" for name in ("Miss", "Shaken", "Down"))) for row in notebook["wall"]
    ]
    assert found == lines and len(lines) == 2
