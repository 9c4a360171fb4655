"""Replays measured streams with `playhead serve --trace`, hears them with `playhead bench`, and prints how late what was heard is.

usage: trace_replay.py PROGRAM TRACES [LONGEST_SECONDS]
"""
import json
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile

program, traces_file, longest = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 5.0
traces = [json.loads(line) for line in open(traces_file, encoding="utf-8")]
chosen = [i for i, trace in enumerate(traces) if trace["t_final_ms"] < longest * 1000]
rate = traces[chosen[0]]["sample_rate"]


def true_figures(trace):
    """Where playback would start and how long it would stall, from the trace itself, the tail a chunk too."""
    chunks = [(c["t_ms"], c["samples"]) for c in trace["chunks"]]
    if trace["tail_samples"]:
        chunks.append((trace["t_final_ms"], trace["tail_samples"]))
    before, start = 0, 0.0
    for at, samples in chunks:
        start = max(start, at - before * 1000 / rate)
        before += samples
    return chunks, start, start - chunks[0][0]


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    fixtures = folder / "fixtures.jsonl"
    fixtures.write_text("".join(json.dumps({"id": f"stream{i + 1}", "text": f"stream {i + 1}"}) + "\n" for i in chosen))
    server = subprocess.Popen([program, "serve", "--trace", traces_file], stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().split()[-1]
        done = subprocess.run(
            [program, "bench", "--base-url", url, "--model", "replay", "--fixtures", fixtures, "--rounds", "1", "--sample-rate", str(rate),
             "--run-dir", folder / "run", "--save-outputs", "hash_only", "--json"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    rows = [json.loads(line) for line in open(folder / "run" / "requests.jsonl", encoding="utf-8")]

lags, start_off, stall_off, first_off = [], [], [], []
for row, index in zip(rows, chosen):
    if not row["ok"]:
        sys.exit(f"stream {index + 1}: {row['error']}")
    chunks, start, stall = true_figures(traces[index])
    assert [c["sample_count"] for c in row["chunks"]] == [samples for _, samples in chunks]
    lags += [heard["arrival_ms"] - at for heard, (at, _) in zip(row["chunks"], chunks)]
    first_off.append(row["first_pcm_ms"] - chunks[0][0])
    start_off.append(row["gapless_start_ms"] - start)
    stall_off.append(row["prebuffer_ms"] - stall)


def of(values):
    return {"median_ms": statistics.median(values), "worst_ms": max(values, key=abs)}


print(json.dumps({"streams": len(rows), "chunks": len(lags), "chunk_lag": of(lags), "first_pcm_off": of(first_off), "gapless_start_off": of(start_off), "prebuffer_off": of(stall_off)}))
