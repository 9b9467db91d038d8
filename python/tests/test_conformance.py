"""The command, Python and JavaScript give the same JSON for every case of every pack."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import adjutant

ROOT = Path(__file__).resolve().parents[2]


def cases():
    with open(os.environ["ADJUTANT_CASES"], encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def tables_in(folder, all_cases):
    """Files with the tables that cases bring."""
    files = {}
    for text in {case["tables"] for case in all_cases} - {None}:
        files[text] = folder / f"{len(files)}.toml"
        files[text].write_text(text, encoding="utf-8")
    return files


def of_command(case, tables):
    arguments = list(case["arguments"])
    if case["tables"] is not None:
        arguments += ["--tables", str(tables[case["tables"]])]
    ran = subprocess.run(
        [os.environ["ADJUTANT"], *arguments], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    return {"code": 0 if ran.returncode == 0 else 1, "json": json.loads(ran.stdout) if ran.stdout else None}


def answer(text):
    """What the command would print: the roll, or as much of it as there was."""
    reply = json.loads(text)
    if "ok" in reply:
        return {"code": 0, "json": reply["ok"]}
    return {"code": 1, "json": reply["fault"].get("stopped")}


def of_python(all_cases):
    packs = {}
    answers = []
    for case in all_cases:
        key = (case["folder"], case["tables"])
        if key not in packs:
            packs[key] = adjutant.load(ROOT / case["folder"], tables=case["tables"])
        answers.append(answer(packs[key]._native.ask(json.dumps(case["request"]))))
    return answers


def of_javascript(cases):
    ran = subprocess.run(
        ["node", str(ROOT / "npm/test/answer-cases.mjs"), str(cases), str(ROOT)],
        capture_output=True, text=True, check=True,
    )
    return [answer(line) for line in ran.stdout.splitlines()]


@pytest.mark.skipif("ADJUTANT_CASES" not in os.environ, reason="run tools/libraries")
def test_the_command_python_and_javascript_agree(tmp_path):
    all_cases = cases()
    assert len(all_cases) > 1000
    tables = tables_in(tmp_path, all_cases)
    with ThreadPoolExecutor(2) as pool:
        command = list(pool.map(lambda case: of_command(case, tables), all_cases))
    for name, answers in [("Python", of_python(all_cases)), ("JavaScript", of_javascript(os.environ["ADJUTANT_CASES"]))]:
        assert len(answers) == len(all_cases)
        for case, expected, found in zip(all_cases, command, answers):
            assert found == expected, f"{name}: {' '.join(case['arguments'])}"
    # Most cases come to their end, and some are refused or stop for something that is missing.
    assert sum(one["code"] == 0 for one in command) > 0.8 * len(command)
    assert any(one["code"] and one["json"] for one in command)


SHOT = {"ammo": "hesa", "firer.hesa": "6", "target.def": "4"}
SQUADS = {
    f"{side}.{name}": value
    for side in ("attackers", "defenders")
    for name, value in {"type": "squad", "fp": "4", "half_fp": "2"}.items()
}


def request(verb, pack, chart, given, words=(), *, fight=False, query=(), **more):
    """A case of another verb than roll: the arguments of the command, and the request."""
    folder = f"packs/{pack}"
    asked = {"pack": pack, "fight" if fight else "chart": chart, "given": given, **dict(query)}
    kind = more.pop("kind", verb)
    arguments = [verb, folder, chart, *(f"{name}={value}" for name, value in given.items()), *words, "--json"]
    return {
        "folder": folder, "tables": None, "arguments": arguments,
        "request": {kind: {"query": asked, **more} if more or kind == "fight" else asked},
    }


def others():
    hesa = [{"input": "firer.hesa", "values": "1..8"}]
    both = [*hesa, {"input": "target.def", "values": ["3", "4"]}]
    vary = ["--vary", "firer.hesa=1..8"]
    seed = {"seed": 7}
    return [
        request("odds", "panzer8", "fire", SHOT),
        request("odds", "panzer8", "fire", SHOT, ["--modifiers"], kind="modifiers"),
        request("odds", "panzer8", "fire", SHOT, ["--times", "3"], kind="times", times=3),
        request("odds", "panzer8", "fire", SHOT, vary, kind="vary", over=hesa),
        request("odds", "panzer8", "fire", SHOT, [*vary, "--vary", "target.def=3,4"], kind="vary", over=both),
        request("odds", "combat-leader", "accuracy", {"mod_fp": "3"}),
        request(
            "odds", "combat-leader", "accuracy", {"mod_fp": "3"}, ["--answer", "jam=1/6", "--gone", "1,2"],
            query={"answers": {"jam": "1/6"}, "gone": [1, 2]},
        ),
        request("odds", "chain-reaction", "pef-resolve", {"group": "5"}, ["--follow"], query={"follow": True}),
        request("sim", "panzer8", "fire", SHOT, ["-n", "10000", "--seed", "7"], query=seed, samples=10000),
        request("fight", "asl-starter-kit", "melee", SQUADS, fight=True),
        request(
            "fight", "asl-starter-kit", "melee", SQUADS, ["--vary", "attackers=1,2"],
            fight=True, kind="vary", over=[{"input": "attackers", "values": ["1", "2"]}],
        ),
        request("sim", "asl-starter-kit", "melee", SQUADS, ["-n", "3000", "--seed", "7"], fight=True, query=seed, samples=3000),
        {
            "folder": "packs/combat-leader", "tables": None,
            "arguments": ["draw", "packs/combat-leader", "action", "3", "--seed", "7", "--gone", "3,17", "--json"],
            "request": {"draw": {"deck": "action", "count": 3, "seed": 7, "gone": [3, 17]}},
        },
        *(
            {"folder": f"packs/{pack}", "tables": None, "arguments": ["show", f"packs/{pack}", *name, "--json"],
             "request": {"show": {"name": name[0]} if name else {}}}
            for pack, name in [("panzer8", []), ("panzer8", ["fire"]), ("asl-starter-kit", ["melee"])]
        ),
    ]


@pytest.mark.skipif("ADJUTANT" not in os.environ, reason="run tools/libraries")
def test_every_other_verb_gives_the_same_json(tmp_path):
    all_cases = others()
    file = tmp_path / "requests.jsonl"
    file.write_text("".join(json.dumps(case) + "\n" for case in all_cases), encoding="utf-8")
    answers = [[of_command(case, {}) for case in all_cases], of_python(all_cases), of_javascript(file)]
    for case, *found in zip(all_cases, *answers):
        for one in found:
            assert one["code"] == 0, f"{case['arguments']}: {one}"
            # How long it took, with how many threads, is not part of the answer.
            for own in ("seconds", "threads"):
                one["json"].pop(own, None)
        assert found[1] == found[0] and found[2] == found[0], case["arguments"]
