"""Runs every bench of a build, and writes docs/PERFORMANCE.md and docs/performance.json from what they print."""
import json
import pathlib
import platform
import subprocess
import sys

root, build = map(pathlib.Path, sys.argv[1:3])


def google_benchmark(name):
    print(f"running {name}", file=sys.stderr)
    done = subprocess.run(
        [build / "bench" / name, "--benchmark_format=json", "--benchmark_repetitions=5", "--benchmark_report_aggregates_only=true"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {b["run_name"]: b for b in json.loads(done.stdout)["benchmarks"] if b["aggregate_name"] == "median"}


def script(*command):
    print(f"running {pathlib.Path(command[0]).name} {pathlib.Path(command[1]).name if len(command) > 1 else ''}", file=sys.stderr)
    return json.loads(subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True).stdout)


def cpu():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


timeline, hashing = google_benchmark("timeline_bench"), google_benchmark("hash_bench")
wire, bootstrap = google_benchmark("wire_bench"), google_benchmark("bootstrap_bench")
python = script(sys.executable, root / "bench" / "python_timeline.py")
truth = script(build / "bench" / "timing_truth", "200")
replay = script(sys.executable, root / "bench" / "trace_replay.py", build / "playhead", root / "tests" / "data" / "measured_streams.jsonl")

ns = {name: run["ns_per_chunk"] for name, run in timeline.items()}
compiler = json.loads(subprocess.run(["meson", "introspect", "--compilers", str(build)], capture_output=True, text=True, check=True).stdout)
compiler = compiler["host"]["cpp"]["full_version"]

lines = [
    "# Performance",
    "",
    f"Written by `bench/run.sh`. {cpu()}, {compiler}, release build. Figures move from machine to machine and from run to run; the ratios,",
    "each from one run, move less.",
    "",
    "## A listener's figures",
    "",
    "| stream of 1000 chunks | ns a chunk | Python, same simulation | times as fast |",
    "|---|---|---|---|",
]
for name, title in (("equal_chunks", "chunks of one size"), ("varied_chunks", "chunks of any size"), ("stalling", "every chunk late")):
    lines.append(f"| {title} | {ns[name]:.2f} | {python['ns_per_chunk']:.0f} | {python['ns_per_chunk'] / ns[name]:.0f} |")
lines += [
    "",
    "## Timing truth",
    "",
    "Client's stamp less the server's flush, on loopback: 40 chunks or a little more, one every 5 ms, 200 requests each, in turns.",
    "",
    "| client | chunks | median ms | p99 ms | worst ms |",
    "|---|---|---|---|---|",
]
for who in ("playhead", "bare libcurl"):
    of = truth[who]
    lines.append(f"| {who} | {of['chunks']} | {of['median_ms']:.4f} | {of['p99_ms']:.4f} | {of['max_ms']:.4f} |")
lines += [
    f"| ratio | | {truth['median_ratio']:.3f} | {truth['p99_ratio']:.3f} | |",
    "",
    "## Measured streams, replayed and heard again",
    "",
    f"{replay['streams']} published streams shorter than 5 s, {replay['chunks']} chunks, sent at their own times and heard by `playhead bench`.",
    "",
    "| heard less true | median ms | worst ms |",
    "|---|---|---|",
]
for key, title in (("chunk_lag", "arrival of a chunk"), ("first_pcm_off", "first PCM"), ("gapless_start_off", "gapless start"), ("prebuffer_off", "prebuffer")):
    lines.append(f"| {title} | {replay[key]['median_ms']:.3f} | {replay[key]['worst_ms']:.3f} |")
lines += [
    "",
    "## Exact intervals",
    "",
    "Median and p95 with their intervals over every draw of rounds, 20 requests a round.",
    "",
    "| rounds | time | workspace |",
    "|---|---|---|",
]
for rounds in (3, 5, 8, 10):
    run = bootstrap[f"exact_intervals/{rounds}"]
    lines.append(f"| {rounds} | {run['real_time']:.1f} µs | {run['workspace_bytes'] / 1000:.1f} kB |")
lines += [
    "",
    "## Bytes",
    "",
    "| work | GB of input a second |",
    "|---|---|",
]
for runs, name, title in (
    (wire, "base64/3840", "base64, 3.8 kB"), (wire, "base64/48000", "base64, 48 kB"),
    (wire, "audio_event/3840", "NDJSON audio event to PCM, 3.8 kB of PCM"), (wire, "audio_event/48000", "NDJSON audio event to PCM, 48 kB of PCM"),
    (hashing, "sha256/3840", "SHA-256, 3.8 kB"), (hashing, "sha256/1048576", "SHA-256, 1 MiB"),
):  # fmt: skip
    lines.append(f"| {title} | {runs[name]['bytes_per_second'] / 1e9:.2f} |")
(root / "docs" / "PERFORMANCE.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
figures = {"timeline_ns_per_chunk": ns, "python_ns_per_chunk": python["ns_per_chunk"], "timing_truth": truth, "trace_replay": replay}
(root / "docs" / "performance.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
print("\n".join(lines))
