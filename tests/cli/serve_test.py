"""`playhead serve` as a second process, `bench` against it, and `demo`: rows agree with what the server logged."""
import json
import shutil
import signal
import subprocess
import sys
import unittest
import wave

from program import DATA, PROGRAM, Folder, lines_of, playhead, run_tests, write_fixtures

TEXTS = [("short", "One."), ("long", "Two short sentences are enough. This is the second one.")]


class Server:
    """`playhead serve` with a log, stopped in order at the end."""

    def __init__(self, folder, *arguments):
        self.log = folder / "server.jsonl"
        self.arguments = [PROGRAM, "serve", "--log", str(self.log), *map(str, arguments)]

    def __enter__(self):
        self.process = subprocess.Popen(self.arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if not first.startswith("listening on http://127.0.0.1:"):
            raise AssertionError(first + self.process.stderr.read())
        self.url = first.split()[-1]
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.code = self.process.wait(timeout=20)
        self.errors = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()

    def requests(self):
        return lines_of(self.log.read_text(encoding="utf-8"))


class Serve(unittest.TestCase):
    def bench(self, server, folder, rate, *arguments, texts=TEXTS):
        return playhead(
            "bench", "--base-url", server.url, "--model", "m", "--fixtures", write_fixtures(folder, texts), "--run-dir", folder / "run",
            "--sample-rate", rate, *arguments,
        )  # fmt: skip

    def check(self, server, folder, texts=TEXTS):
        rows = lines_of((folder / "run/requests.jsonl").read_text(encoding="utf-8"))
        logged = [entry for entry in server.requests() if entry["input"] in dict(texts).values()]
        self.assertEqual(len(rows), len(logged))
        for row, entry in zip(rows, logged):
            self.assertTrue(row["ok"], row["error"])
            self.assertEqual(row["seed"], entry["seed"])
            self.assertEqual(row["pcm_sha256"], entry["pcm_sha256"])
            self.assertEqual(row["sample_count"], entry["frames"])
            self.assertEqual([c["sample_count"] for c in row["chunks"]], [c["frames"] for c in entry["chunks"]])
            # Both stamps are of this machine's monotonic clock: nothing is heard before it was sent.
            for heard, sent in zip(row["chunks"], entry["chunks"]):
                self.assertGreaterEqual(row["t_send_ns"] + heard["arrival_ms"] * 1e6 + 1, sent["flush_ns"])
        return rows

    def test_tone_at_any_rate_and_channels(self):
        for rate, channels in ((8000, 1), (24000, 2), (44100, 6)):
            with self.subTest(rate=rate, channels=channels), Folder() as folder:
                with Server(folder, "--engine", "tone", "--ramp", "1,2,4", "--frame-cost-ms", "2", "--jitter-ms", "1") as server:
                    done = self.bench(server, folder, rate, "--channels", channels, "--rounds", 2)
                    self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
                    rows = self.check(server, folder)
                    frame = rate * 80 // 1000
                    for row in rows:
                        sizes = [c["sample_count"] for c in row["chunks"]]
                        self.assertEqual(sizes[:2], [frame, 2 * frame])
                        self.assertTrue(all(size <= 4 * frame for size in sizes))
                self.assertEqual((server.code, server.errors), (0, ""))

    def test_espeak_is_real_speech(self):
        with Folder() as folder, Server(folder, "--engine", "espeak") as server:
            done = self.bench(server, folder, 22050, "--rounds", 1)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            rows = self.check(server, folder)
            by_id = {row["id"]: row for row in rows}
            self.assertGreater(by_id["long"]["audio_duration_s"], by_id["short"]["audio_duration_s"])
            self.assertTrue(1 < by_id["long"]["audio_duration_s"] < 20)
            if shutil.which("espeak-ng"):
                # the same words, spoken without a server in between
                path = folder / "direct.wav"
                subprocess.run(["espeak-ng", "-v", "en", "-w", str(path), "--stdin"], input=dict(TEXTS)["long"], text=True, check=True)
                with wave.open(str(path)) as direct:
                    self.assertEqual(direct.getnframes(), by_id["long"]["sample_count"])
                    self.assertEqual(direct.readframes(direct.getnframes()), (folder / "run/outputs/audio/r0/long.pcm").read_bytes())

    def test_a_rate_that_the_engine_does_not_have_is_a_failed_row_that_says_so(self):
        with Folder() as folder, Server(folder, "--engine", "espeak") as server:
            done = self.bench(server, folder, 24000, "--rounds", 1)
            self.assertEqual(done.returncode, 1)
            self.assertIn("http_status", done.stdout)
            self.assertIn("22050", done.stdout)

    def test_measured_streams_are_replayed_chunk_by_chunk(self):
        traces = lines_of((DATA / "measured_streams.jsonl").read_text(encoding="utf-8"))
        short = sorted(range(len(traces)), key=lambda i: traces[i]["t_final_ms"])[:6]
        texts = [(f"stream{i + 1}", f"stream {i + 1}") for i in short]
        with Folder() as folder, Server(folder, "--trace", DATA / "measured_streams.jsonl") as server:
            done = self.bench(server, folder, 24000, "--rounds", 1, texts=texts)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            rows = self.check(server, folder, texts)
            for row, i in zip(rows, short):
                trace = traces[i]
                expected = [c["samples"] for c in trace["chunks"]] + ([trace["tail_samples"]] if trace["tail_samples"] else [])
                self.assertEqual([c["sample_count"] for c in row["chunks"]], expected)
                # a chunk can be late on a busy machine, never early
                due = [c["t_ms"] for c in trace["chunks"]] + ([trace["t_final_ms"]] if trace["tail_samples"] else [])
                for heard, at in zip(row["chunks"], due):
                    self.assertGreaterEqual(heard["arrival_ms"], at)

    def test_wrong_arguments(self):
        with Folder() as folder:
            (folder / "bad.jsonl").write_text('{"chunks":[]}\nnonsense\n')
            for arguments, message in [
                (("--engine", "piper"), "--engine"),
                (("--ramp", "0"), "--ramp"),
                (("--ramp", "1,x"), "--ramp"),
                (("--port", "70000"), "--port"),
                (("--jitter-ms", "-1"), "--jitter-ms"),
                (("--trace", folder / "missing.jsonl"), "missing.jsonl"),
                (("--trace", folder / "bad.jsonl"), "bad.jsonl"),
                (("--log", folder / "no" / "such" / "log"), "log"),
            ]:
                with self.subTest(message, arguments=arguments):
                    done = playhead("serve", *arguments, timeout=20)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                    self.assertIn(message, done.stderr)

    def test_a_port_that_is_taken(self):
        with Folder() as folder, Server(folder, "--engine", "tone") as server:
            done = playhead("serve", "--port", server.url.rsplit(":", 1)[1], timeout=20)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1)


class Demo(unittest.TestCase):
    def test_demo_measures_real_speech_and_keeps_it(self):
        with Folder() as folder:
            done = playhead("demo", "--rounds", 1, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            self.assertIn("structural PASS", done.stdout)
            recordings = sorted((folder / "playhead-demo").rglob("*.pcm"))
            self.assertEqual(len(recordings), 5)
            for recording in recordings:
                pcm = recording.read_bytes()
                seconds = len(pcm) / 2 / 22050
                self.assertTrue(1 < seconds < 30)
                loud = sum(1 for i in range(1, len(pcm), 2) if pcm[i] not in (0, 255))
                self.assertGreater(loud / (len(pcm) / 2), 0.2, "speech is not silence")

    def test_demo_with_the_tone_engine_as_json(self):
        with Folder() as folder:
            done = playhead("demo", "--engine", "tone", "--rounds", 1, "--json", "--run-dir", folder / "kept")
            self.assertEqual(done.returncode, 0, done.stderr)
            document = json.loads(done.stdout)
            self.assertEqual(document["data"]["delivery"], {"streamed": 5, "burst": 0, "single": 0})
            self.assertTrue((folder / "kept" / "requests.jsonl").exists())


if __name__ == "__main__":
    run_tests(sys.modules[__name__])
