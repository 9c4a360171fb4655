"""The same simulation in plain Python, as benchmark scripts have it: nanoseconds a chunk, best of many runs."""
import json
import random
import time

noise = random.Random(1)
arrivals, now = [], 0.0
for _ in range(1000):
    now += noise.uniform(0, 100)
    arrivals.append(now)
frames = [1200] * 1000


def simulate(arrivals, frames, rate):
    end = None
    underruns = stalled = gap = 0
    last = 0
    for arrival, count in zip(arrivals, frames):
        gap = max(gap, arrival - last)
        last = arrival
        if end is None:
            end = arrival
        elif arrival > end:
            underruns += 1
            stalled += arrival - end
            end = arrival
        end += count * 1000 / rate
    return gap, underruns, stalled


best = float("inf")
for _ in range(50):
    begin = time.perf_counter()
    for _ in range(20):
        simulate(arrivals, frames, 24000)
    best = min(best, (time.perf_counter() - begin) / 20 / len(frames) * 1e9)
print(json.dumps({"ns_per_chunk": best}))
