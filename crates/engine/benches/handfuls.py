"""Times icepool on the work of handfuls.rs. Prints for each: name, nanoseconds without and with what it keeps of earlier calls, then value:weight pairs."""
import time
import icepool
import icepool.evaluator
from icepool import Die, d6, d10, tupleize


def volley(twice):
    through = {}
    save = d6 < 5
    wound = d6 >= 4
    one = (wound & save).map(lambda ok: int(bool(ok)))
    straight = save.map(lambda ok: int(bool(ok)))
    six = 2 @ one if twice else straight
    attack = d6.map(lambda face: six if face == 6 else (one if face >= 3 else 0))
    return 20 @ attack


def pool():
    again = d6.reroll(lambda face: 1 < face < 6, depth=1)
    die = again.map(lambda face: icepool.Vector((int(face == 6), int(face == 1))))
    return (10 @ die).map(lambda pair: 100 * pair[0] + pair[1])


def keep():
    return d10.explode(depth=3).highest(10, 5)


def sets():
    return d10.pool(10).largest_count_and_outcome().map(lambda n, face: 100 * n + face)


def symbols():
    die = Die(["foot", "foot", "foot", "wheels", "shell", "rout", "blank", "blank"])
    die = die.map(lambda face: icepool.Vector((int(face in ("shell", "foot")), int(face == "rout"))))
    return (6 @ die).map(lambda pair: 10 * pair[1] + pair[0])


def forget():
    """Empties what icepool keeps of one call for the next: `odds` keeps nothing either."""
    for known in vars(icepool.evaluator).values():
        if isinstance(getattr(known, "_cache", None), dict):
            known._cache.clear()


for name, work in [
    ("D1", lambda: volley(False)),
    ("D1b", lambda: volley(True)),
    ("D2", pool),
    ("D3", keep),
    ("D4", sets),
    ("D5", symbols),
]:
    best = [float("inf"), float("inf")]
    for call in range(60):
        if call % 2 == 0:
            forget()
        start = time.perf_counter_ns()
        found = work()
        best[call % 2] = min(best[call % 2], time.perf_counter_ns() - start)
    total = found.denominator()
    pairs = " ".join(f"{value}:{weight}/{total}" for value, weight in found.items() if weight)
    print(name, *best, pairs)
