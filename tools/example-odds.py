#!/usr/bin/env python3
"""Works out odds of the example packs by brute force, from their rules alone.

It reads no pack and knows nothing of the engine: each rule is written again here, in the plainest
way. crates/engine/tests/example_odds.rs compares the exact fractions with the engine's.

    python3 tools/example-odds.py > crates/engine/tests/example_odds.json
"""
import json
from collections import defaultdict
from fractions import Fraction as F
from itertools import product
from math import floor

D6 = range(1, 7)
found = []


def spread(pairs):
    """Adds up the chances of equal outcomes."""
    out = defaultdict(F)
    for key, chance in pairs:
        out[key] += chance
    return {key: chance for key, chance in out.items() if chance}


def rolls(*dice):
    """Every way that some dice can fall, each a list of faces, with its chance."""
    ways = 1
    for die in dice:
        ways *= len(die)
    for faces in product(*dice):
        yield faces, F(1, ways)


def tell(pack, chart, given, results=None, values=None):
    entry = {"pack": pack, "chart": chart, "given": given}
    if results is not None:
        name = lambda key: key if isinstance(key, str) else f"{key[0]}@{key[1]}"
        entry["results"] = {name(k): str(c) for k, c in sorted(results.items(), key=str)}
    if values is not None:
        entry["values"] = {str(k): str(c) for k, c in sorted(values.items())}
    found.append(entry)


def power(one, count):
    """The sum of so many independent draws of one distribution."""
    all_ = {0: F(1)}
    for _ in range(count):
        all_ = spread((a + b, p * q) for a, p in all_.items() for b, q in one.items())
    return all_


# Banner Dice: dice that show the target's arm or a flash hit.
BATTLE = ["foot", "foot", "horse", "cannon", "flash", "banner"]
for own, arm, ground, less, figures in [
    ("foot", "horse", "open", 0, 4), ("horse", "foot", "wood", 1, 2), ("cannon", "cannon", "walls", 2, 1), ("horse", "foot", "open", 0, 2),
]:
    dice = max(1, (2 if own == "foot" else 3) - less)

    def battle(faces):
        hits = sum(face in (arm, "flash") for face in faces)
        if hits == 0:
            return "holds", "target"
        return ("wiped-out" if figures <= hits else "losses"), "target"

    tell("banner-dice", "battle", {"attacker.arm": own, "target.arm": arm, "ground": ground, "target.figures": figures},
         results=spread((battle(f), p) for f, p in rolls(*[BATTLE] * dice)))

# Iron Volley: hit, wound, save, and damage of 1 or 2 that does not pass from model to model.
for shots, skill, strength, tough, save, wounds, blessed in [
    (3, 4, 4, 4, 5, 1, False), (4, 3, 6, 3, 4, 2, True), (5, 5, 3, 5, 7, 3, False),
]:
    need = 2 if strength >= 2 * tough else 3 if strength > tough else 4 if strength == tough else 5
    hit = {face: F(1, 6) for face in D6}
    if blessed:
        hit = {face: F(1, 6) * (0 if face == 1 else 1) + F(1, 36) for face in D6}
    unsaved = F(min(6, save - 1), 6)
    sure, plain = hit[6], sum(hit[face] for face in D6 if skill <= face < 6)
    through = (sure + plain * F(7 - need, 6)) * unsaved
    killed = {}
    for count, chance in power({1: through, 0: 1 - through}, shots).items():
        for damage, p in rolls(*[range(1, 3)] * count):
            dead = box = 0
            for points in damage:
                box += points
                if box >= wounds:
                    dead, box = dead + 1, 0
            killed[dead] = killed.get(dead, F(0)) + chance * p
    tell("iron-volley", "volley", {"shots": shots, "firer.skill": skill, "firer.strength": strength, "target.toughness": tough,
                                   "target.save": save, "target.wounds": wounds, "blessed": "yes" if blessed else "no"},
         values=spread(killed.items()))


# Brass Hearts: a die explodes on its highest face, at most ten times.
def exploding(sides, left=10):
    for face in range(1, sides + 1):
        if face == sides and left:
            for more, p in exploding(sides, left - 1):
                yield face + more, p / sides
        else:
            yield face, F(1, sides)


for skill, hero, helpers, hurt in [(8, True, 0, 0), (4, False, 1, 0), (10, True, 2, 3)]:
    def heart(a, b):
        best = max(a, b) + helpers - hurt
        if hero and a == 1 and b == 1:
            return "fumble", "figure"
        return "fails" if best < 4 else "succeeds" if best < 8 else "raises"

    wild = spread(exploding(6)) if hero else {0: F(1)}
    tell("brass-hearts", "test", {"figure.skill": skill, "figure.hero": "yes" if hero else "no", "help": helpers, "figure.wounds": hurt},
         results=spread((heart(a, b), p * q) for a, p in spread(exploding(skill)).items() for b, q in wild.items()))

# Deep Frost: pushed if there is no six; then all but ones and sixes are rolled once more.
for body, craft, gear in [(1, 0, False), (2, 1, False), (3, 0, True)]:
    sixes = defaultdict(F)
    for faces, p in rolls(*[D6] * (body + craft + gear)):
        if 6 in faces:
            sixes[faces.count(6)] += p
            continue
        for again, q in rolls(*[D6] * sum(1 < face < 6 for face in faces)):
            sixes[again.count(6)] += p * q
    tell("deep-frost", "strive", {"trapper.body": body, "trapper.craft": craft, "gear": "yes" if gear else "no"}, values=dict(sixes))

# Crow and Crown: the largest set, of equal ones the highest.
for wits, trade, hard in [(2, 0, 1), (3, 1, 5), (3, 2, 8)]:
    def feat(faces):
        width, height = max((faces.count(face), face) for face in faces)
        if width < 2 or height < hard:
            return "fails"
        return "masterly" if width >= 3 else "done"

    tell("crow-and-crown", "feat", {"agent.wits": wits, "agent.trade": trade, "hard": hard},
         results=spread((feat(f), p) for f, p in rolls(*[range(1, 11)] * (wits + trade))))

# Grey Files: several tens dice, of which the best or the worst counts.
for skill, edge in [(50, 0), (37, 2), (80, -1)]:
    def file_(faces):
        ones, tens = faces[0], faces[1:]
        totals = [100 if ten + ones == 0 else 10 * ten + ones for ten in tens]
        roll = min(totals) if edge >= 0 else max(totals)
        if roll == 100:
            return "disaster", "clerk"
        return "superb" if 5 * roll <= skill else "good" if 2 * roll <= skill else "plain" if roll <= skill else "fails"

    tell("grey-files", "skill", {"clerk.skill": skill, "edge": edge},
         results=spread((file_(f), p) for f, p in rolls(*[range(10)] * (2 + abs(edge)))))

# Two Rivers: odds, shifts and the table.
A, N, R, L = "attacker", None, "retreat", "loss"
TABLE = [[A, A, A, N, R], [A, A, N, R, R], [A, N, R, R, L], [N, R, L, L, L]]
for ours, theirs, ground, shift, river, air, steps in [
    (9, 3, "open", 0, False, 0, 1), (10, 6, "wood", -1, True, 2, 2), (4, 9, "town", -2, False, 1, 2),
]:
    odds = F(ours, theirs)
    column = min(4, floor(odds) + 1) if odds >= 1 else 1 if odds >= F(1, 2) else 0
    column = min(4, max(0, column + shift - river + air))

    def rivers(die):
        cell = TABLE[0 if die <= 1 else 1 if die <= 3 else 2 if die <= 5 else 3][column]
        if cell is N:
            return "no-effect"
        if cell == R:
            return R, "defender"
        return ("destroyed" if steps <= 1 else L), ("attacker" if cell == A else "defender")

    tell("two-rivers", "combat", {"attacker.force": ours, "defender.force": theirs, "ground": ground, "river": "yes" if river else "no", "air": air,
                                  "attacker.steps": steps, "defender.steps": steps},
         results=spread((rivers(d), F(1, 6)) for d in D6))

# Walking Iron: the place by 2d6, then its armour.
for damage, rear, head, hull, legs in [(5, False, 6, 18, 12), (12, True, 6, 18, 12), (20, False, 30, 18, 25)]:
    def iron(faces):
        roll = sum(faces)
        place = ("hull" if rear else "head") if roll <= 3 else "hull" if roll <= 8 else "legs"
        if damage < {"head": head, "hull": hull, "legs": legs}[place]:
            return "worn", "target"
        return ("lamed" if place == "legs" else "wrecked"), "target"

    tell("walking-iron", "strike", {"damage": damage, "rear": "yes" if rear else "no", "target.armour_head": head,
                                    "target.armour_hull": hull, "target.armour_legs": legs},
         results=spread((iron(f), p) for f, p in rolls(D6, D6)))

# Mud and Leather: the leather and the injury.
for leather in (3, 8, 11):
    tell("mud-and-leather", "leather", {"player.leather": leather},
         results=spread((("hurt", "player") if sum(f) > leather else "holds", p) for f, p in rolls(D6, D6)))
tell("mud-and-leather", "injury", {},
     results=spread(((("stunned" if sum(f) <= 7 else "carried-off" if sum(f) <= 9 else "hospital"), "player"), p) for f, p in rolls(D6, D6)))

# Bronze Line: opposed totals; the loser's fate by both troops.
FOOT = {"spears": (4, 4), "chariots": (3, 4), "skirmishers": (2, 3)}
FATE = {("spears", "spears"): "recoil", ("spears", "chariots"): "recoil", ("spears", "skirmishers"): "stands",
        ("chariots", "spears"): "recoil", ("chariots", "chariots"): "recoil", ("chariots", "skirmishers"): "destroyed",
        ("skirmishers", "spears"): "recoil", ("skirmishers", "chariots"): "recoil", ("skirmishers", "skirmishers"): "recoil"}
DOUBLED = {("skirmishers", "spears"): "flee", ("skirmishers", "skirmishers"): "flee"}
for us, them, hill, general, overlaps in [
    ("spears", "chariots", False, False, 0), ("skirmishers", "spears", True, False, 1), ("chariots", "skirmishers", False, True, 2),
]:
    def clash(a, b):
        ours = a + FOOT[us][them == "chariots"] + hill
        theirs = b + FOOT[them][us == "chariots"] + general - overlaps
        if ours == theirs:
            return "locked"
        loser, winner, role = (us, them, "us") if ours < theirs else (them, us, "them")
        doubled = 2 * min(ours, theirs) <= max(ours, theirs)
        fate = DOUBLED.get((loser, winner), "destroyed") if doubled else FATE[loser, winner]
        return fate, role

    tell("bronze-line", "clash", {"us.troop": us, "them.troop": them, "us.uphill": "yes" if hill else "no",
                                  "them.general": "yes" if general else "no", "them.overlaps": overlaps},
         results=spread((clash(a, b), F(1, 36)) for a in D6 for b in D6))

# Hollow Suns: a six brings another die, at most ten in a chain; one test for each system.
LANCES = {1: (1, 0, 0), 2: (2, 1, 0), 3: (3, 2, 1)}


def lance(screen, left=10):
    for face in D6:
        points = (1 if screen == 2 else 2) if face == 6 else int(face == 5 or face == 4 and screen == 0)
        if face == 6 and left:
            for more, p in spread(lance(screen, left - 1)).items():
                yield points + more, p / 6
        else:
            yield points, F(1, 6)


for lances, class_, range_, screen in [(1, 2, 3, 0), (2, 2, 5, 1), (4, 3, 14, 2), (2, 1, 9, 0)]:
    dice = lances * LANCES[class_][0 if range_ <= 6 else 1 if range_ <= 12 else 2]
    tell("hollow-suns", "fire", {"lances": lances, "class": class_, "range": range_, "target.screen": screen},
         values=power(spread(lance(screen)), dice))
for row in (1, 2, 3):
    def systems(faces):
        return sum(face + row - 1 > holds for face, holds in zip(faces, (4, 3, 3, 5)))

    tell("hollow-suns", "row", {"row": row}, values=spread((systems(f), p) for f, p in rolls(*[D6] * 4)))

print("[\n" + ",\n".join(json.dumps(entry) for entry in found) + "\n]")
