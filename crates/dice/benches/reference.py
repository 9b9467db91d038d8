"""The work of benches/handful.rs in icepool. Prints one JSON line per piece of work:
its name, nanoseconds per call, and the distribution as [[values], ways], with the total."""

import json
import time

import icepool
from icepool import d6, d10


def set_then_height():
    class Widest(icepool.MultisetEvaluator):
        def next_state(self, state, order, outcome, count):
            best = state or (0, 0)
            return max(best, (count, outcome))

        def final_outcome(self, final_state, order, outcomes, *sizes):
            return final_state or (0, 0)

    return Widest()


def sixes_and_ones():
    once = d6.map(lambda x: x if x in (1, 6) else d6)
    one = once.map(lambda x: icepool.vectorize(int(x == 6), int(x == 1)))
    return lambda: 10 @ one


def exploding_keep():
    return lambda: d10.explode(depth=3).pool(10).highest(5).sum()


def widest():
    evaluator = set_then_height()
    return lambda: evaluator.evaluate(d10.pool(10))


def symbols():
    faces = ["foot", "foot", "foot", "wheels", "shell", "rout", "blank", "blank"]
    one = icepool.Die([(int(f in ("shell", "foot")), int(f == "rout")) for f in faces])
    one = one.map(lambda x: icepool.vectorize(*x))
    return lambda: 6 @ one


def measure(make):
    work = make()
    found = work()
    best = float("inf")
    for _ in range(5):
        calls = 3
        start = time.perf_counter_ns()
        for _ in range(calls):
            found = work()
        best = min(best, (time.perf_counter_ns() - start) / calls)
    return best, found


for name, make in [
    ("D2", sixes_and_ones),
    ("D3", exploding_keep),
    ("D4", widest),
    ("D5", symbols),
]:
    nanoseconds, found = measure(make)
    rows = [
        [list(outcome) if hasattr(outcome, "__iter__") else [outcome], str(ways)]
        for outcome, ways in found.items()
    ]
    print(json.dumps({"name": name, "ns": nanoseconds, "total": str(found.denominator()), "rows": rows}))
