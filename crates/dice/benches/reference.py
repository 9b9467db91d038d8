"""The work of benches/handful.rs in icepool. Prints one JSON line per piece of work:
its name, nanoseconds per call, and the distribution as [[values], ways], with the total."""

import json
import time

import icepool
from icepool import d6


def set_then_height():
    class Widest(icepool.MultisetEvaluator):
        def next_state(self, state, order, outcome, count):
            best = state or (0, 0)
            return max(best, (count, outcome))

        def final_outcome(self, final_state, order, outcomes, *sizes):
            return final_state or (0, 0)

    return Widest()


def sixes_and_ones():
    once = icepool.Die(range(1, 7)).map(lambda x: x if x in (1, 6) else d6)
    return 10 @ once.map(lambda x: icepool.vectorize(int(x == 6), int(x == 1)))


def exploding_keep():
    return icepool.Die(range(1, 11)).explode(depth=3).pool(10).highest(5).sum()


def widest():
    return set_then_height().evaluate(icepool.Die(range(1, 11)).pool(10))


def symbols():
    faces = ["foot", "foot", "foot", "wheels", "shell", "rout", "blank", "blank"]
    one = [icepool.vectorize(int(f in ("shell", "foot")), int(f == "rout")) for f in faces]
    return 6 @ icepool.Die(one)


def measure(work):
    best = float("inf")
    for _ in range(60):
        start = time.perf_counter_ns()
        found = work()
        best = min(best, time.perf_counter_ns() - start)
    return best, found


for name, work in [("D2", sixes_and_ones), ("D3", exploding_keep), ("D4", widest), ("D5", symbols)]:
    nanoseconds, found = measure(work)
    rows = [
        [list(outcome) if hasattr(outcome, "__iter__") else [outcome], str(ways)]
        for outcome, ways in found.items()
    ]
    line = {"name": name, "ns": nanoseconds, "total": str(found.denominator()), "rows": rows}
    print(json.dumps(line))
