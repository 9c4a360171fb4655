"""`playhead bench` against a small server in another language: what it hears must be what was sent."""
import hashlib
import json
import os
import pty
import sys
import unittest

from program import Folder, lines_of, playhead, run_tests, write_fixtures
from speech_server import SpeechServer

TEXTS = [("hello", "Hello there."), ("bye", "Good bye, wörld \u2028 and 😀.")]


def bench(server, folder, *arguments, model="good", env=None):
    fixtures = write_fixtures(folder, TEXTS)
    return playhead(
        "bench", "--base-url", server.url, "--model", model, "--fixtures", fixtures, "--run-dir", folder / "run", "--sample-rate", 16000, *arguments, env=env
    )


def rows_of(folder):
    return lines_of((folder / "run" / "requests.jsonl").read_text(encoding="utf-8"))


class Heard(unittest.TestCase):
    def check_agreement(self, server, folder, channels):
        rows = rows_of(folder)
        sent = [entry for entry in server.requests if entry["asked"]["input"] in dict(TEXTS).values()]
        self.assertEqual(len(rows), len(sent))
        for row, entry in zip(rows, sent):
            self.assertTrue(row["ok"], row["error"])
            self.assertEqual(row["seed"], entry["asked"]["seed"])
            self.assertEqual(row["pcm_sha256"], entry["sha256"])
            self.assertEqual(row["sample_count"], entry["frames"])
            self.assertEqual([c["sample_count"] for c in row["chunks"]], entry["chunks"])
            self.assertEqual(row["pcm_bytes"], entry["frames"] * 2 * channels)
            self.assertEqual(row["text_sha256"], hashlib.sha256(entry["asked"]["input"].encode()).hexdigest())
            # the first chunk is silence
            self.assertEqual(row["leading_silence_ms"], entry["chunks"][0] * 1000 / 16000)
            self.assertLessEqual(row["first_pcm_ms"], row["first_signal_ms"])
            self.assertLessEqual(row["first_signal_ms"], row["complete_audio_ms"])
            self.assertGreaterEqual(row["first_audio_ms"], row["first_pcm_ms"] + row["leading_silence_ms"] - 1e-6)
            self.assertLess(row["t_send_ns"], row["t_done_ns"])
            self.assertLessEqual(row["t_done_ns"], row["t_end_ns"])

    def test_rows_agree_with_what_was_sent(self):
        for model in ("good", "pieces"):
            for channels in (1, 2):
                with self.subTest(model=model, channels=channels), SpeechServer() as server, Folder() as folder:
                    done = bench(server, folder, "--channels", channels, "--rounds", 2, "--settings", '{"temperature": 0.70}', model=model)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stderr, "")
                    self.check_agreement(server, folder, channels)
                    for row in rows_of(folder):
                        self.assertEqual(row["effective"], {"temperature": 0.7})

    def test_the_pcm_is_kept_and_indexed(self):
        with SpeechServer() as server, Folder() as folder:
            done = bench(server, folder, "--label", "one.two", "--rounds", 2, "--first-round", 4)
            self.assertEqual(done.returncode, 0, done.stderr)
            index = json.loads((folder / "run/outputs/one.two/index.json").read_text())
            rows = rows_of(folder)
            self.assertEqual([e["path"] for e in index], [f"outputs/one.two/r{r}/{i}.pcm" for r in (4, 5) for i in ("hello", "bye")])
            for entry, row in zip(index, rows):
                pcm = (folder / "run" / entry["path"]).read_bytes()
                self.assertEqual(hashlib.sha256(pcm).hexdigest(), row["pcm_sha256"])
                self.assertEqual(entry["sha256"], row["pcm_sha256"])
                self.assertEqual(entry["bytes"], len(pcm))
                self.assertEqual((entry["sample_rate"], entry["channels"], entry["encoding"]), (16000, 1, "pcm_s16le"))
            metrics = json.loads((folder / "run/metrics/one.two.audio.json").read_text())
            self.assertEqual([r["index"] for r in metrics["rounds"]], [4, 5])
            leftovers = [p for p in (folder / "run").rglob("*.part")]
            self.assertEqual(leftovers, [])

    def test_hashes_alone_can_be_kept(self):
        with SpeechServer() as server, Folder() as folder:
            done = bench(server, folder, "--save-outputs", "hash_only", "--rounds", 1)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads((folder / "run/outputs/audio/index.json").read_text()), [])
            self.assertEqual(list((folder / "run").rglob("*.pcm")), [])
            self.assertIn("PCM was not kept", done.stdout)
            self.check_agreement(server, folder, 1)

    def test_what_is_sent(self):
        with SpeechServer() as server, Folder() as folder:
            done = bench(server, folder, "--rounds", 2, "--warmup", 3, "--seed-base", -5, "--settings", '{"top_k":[1,2],"speed":1.50}')
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(server.requests), 7)
            texts = [entry["asked"]["input"] for entry in server.requests]
            for warm in texts[:3]:
                self.assertFalse(any(warm.startswith(text) for _, text in TEXTS))
            self.assertEqual(len(set(texts[:3])), 3)
            self.assertEqual(len({(e["asked"]["input"], e["asked"]["seed"]) for e in server.requests}), 7)
            for entry in server.requests:
                self.assertEqual(entry["path"], "/v1/audio/speech")
                self.assertNotIn("expect", entry["headers"])
                self.assertNotIn("accept-encoding", entry["headers"])
                self.assertNotIn("authorization", entry["headers"])
                self.assertEqual(entry["headers"]["accept"], "application/x-ndjson")
                self.assertEqual(entry["headers"]["content-type"], "application/json")
                asked = dict(entry["asked"])
                asked.pop("input")
                asked.pop("seed")
                self.assertEqual(
                    asked,
                    {"model": "good", "sample_rate": 16000, "channels": 1, "encoding": "pcm_s16le", "stream": True, "top_k": [1, 2], "speed": 1.5},
                )
            seeds = lines_of(
                playhead(
                    "compute", "round-seed", stdin="".join(json.dumps({"seed_base": -5, "round_index": r}) + "\n" for r in (-1, -2, -3, 0, 0, 1, 1))
                ).stdout
            )
            self.assertEqual([e["asked"]["seed"] for e in server.requests], [s["seed"] for s in seeds])

    def test_references_are_sent(self):
        with SpeechServer() as server, Folder() as folder:
            voice = bytes(range(256)) * 80
            (folder / "voice.bin").write_bytes(voice)
            fixtures = folder / "f.jsonl"
            fixtures.write_text(json.dumps({"id": "a", "text": "Hi.", "reference_audio": "voice.bin", "reference_text": "Said."}) + "\n")
            done = playhead("bench", "--base-url", server.url, "--model", "good", "--fixtures", fixtures, "--sample-rate", 8000, "--rounds", 1)
            self.assertEqual(done.returncode, 0, done.stderr)
            import base64

            asked = server.requests[-1]["asked"]
            self.assertEqual(base64.b64decode(asked["reference_audio"]), voice)
            self.assertEqual(asked["reference_text"], "Said.")
            self.assertNotIn("expect", server.requests[-1]["headers"])

    def test_a_base_that_ends_in_v1(self):
        with SpeechServer() as server, Folder() as folder:
            fixtures = write_fixtures(folder, TEXTS)
            for base in ("/v1", "/v1/", "/prefix"):
                done = playhead(
                    "bench", "--base-url", server.url + base, "--model", "good", "--fixtures", fixtures, "--sample-rate", 8000, "--rounds", 1, "--warmup", 0
                )
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual({e["path"] for e in server.requests}, {"/v1/audio/speech", "/prefix/v1/audio/speech"})


class Document(unittest.TestCase):
    def test_json_is_one_document_with_everything(self):
        with SpeechServer() as server, Folder() as folder:
            done = bench(server, folder, "--json", "--rounds", 3, "--slo-rtf", 50)
            self.assertEqual(done.returncode, 0, done.stderr)
            document = json.loads(done.stdout)
            data = document["data"]
            self.assertEqual(document["kind"], "audio_benchmark")
            self.assertEqual(data["total_requests"], 6)
            self.assertEqual(data["failed_requests"], 0)
            self.assertEqual(data["structural_verdict"], "PASS")
            self.assertEqual(data["quality_verdict"], "UNPROVEN")
            self.assertEqual(len(data["rounds"]), 3)
            self.assertEqual(data["warmup"]["requests"][0]["ok"], True)
            self.assertEqual(data["slo"]["rtf_max"], 50)
            rows = rows_of(folder)
            for key in ("first_audio_ms", "first_pcm_ms", "first_signal_ms", "complete_audio_ms", "rtf", "max_stream_gap_ms", "gapless_start_ms"):
                values = sorted(row[key] for row in rows)
                figure = data["per_request"][key]
                self.assertEqual(figure["n"], 6)
                self.assertAlmostEqual(figure["median"], (values[2] + values[3]) / 2, places=6)
                self.assertAlmostEqual(figure["max"], values[-1], places=6)
                again = json.loads(
                    playhead("compute", "bootstrap", stdin=json.dumps({"values": [r[key] for r in rows], "units": [r["round"] for r in rows]}) + "\n").stdout
                )
                self.assertAlmostEqual(figure["p95"], again["p95"], places=6)
                for got, want in zip(figure["ci95_median"] + figure["ci95_p95"], again["ci95_p50"] + again["ci95_p95"]):
                    self.assertAlmostEqual(got, want, places=6)
                self.assertLessEqual(figure["calibrated95_median"][0], figure["median"])
                self.assertGreaterEqual(figure["calibrated95_median"][1], figure["median"])
            self.assertTrue(document["limitations"])
            self.assertNotIn(server.url, done.stdout)

    def test_the_table_goes_to_stdout_and_progress_to_a_terminal_only(self):
        with SpeechServer() as server, Folder() as folder:
            done = bench(server, folder)
            self.assertEqual(done.stderr, "")
            for part in ("first audio", "6 of 6", "rtf", "continuity", "delivery", "warm-up", "verdict"):
                self.assertIn(part, done.stdout)
            terminal, its_end = pty.openpty()
            import subprocess

            from program import PROGRAM

            process = subprocess.Popen(
                [PROGRAM, "bench", "--base-url", server.url, "--model", "good", "--fixtures", write_fixtures(folder, TEXTS), "--sample-rate", "16000"],
                stdout=subprocess.DEVNULL,
                stderr=its_end,
            )
            os.close(its_end)
            shown = b""
            while True:
                try:
                    piece = os.read(terminal, 4096)
                except OSError:
                    break
                if not piece:
                    break
                shown += piece
            os.close(terminal)
            self.assertEqual(process.wait(), 0)
            self.assertIn(b"7 of 7", shown)
            self.assertIn(b"round 2, bye", shown)
            self.assertTrue(shown.endswith(b"\r\x1b[K"), "the line is taken away at the end")


class Failing(unittest.TestCase):
    def test_each_failure_is_a_row_with_its_name_and_the_run_goes_on(self):
        for model, code, status in [
            ("status-500", "http_status", 500),
            ("json", "server_error", 200),
            ("html", "format_mismatch", 200),
            ("gzip", "format_mismatch", 200),
            ("no-final", "truncated", 200),
            ("cut", "truncated", 200),
            ("wrong-count", "count_mismatch", 200),
            ("wrong-settings", "settings_mismatch", 200),
            ("error-event", "server_error", 200),
            ("silent", "silent", 200),
        ]:
            with self.subTest(model), SpeechServer() as server, Folder() as folder:
                done = bench(server, folder, "--rounds", 2, "--settings", '{"temperature":0.7}', model=model)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("FAIL", done.stdout)
                rows = rows_of(folder)
                self.assertEqual(len(rows), 4)
                for row in rows:
                    self.assertFalse(row["ok"])
                    self.assertTrue(row["error"].startswith(code + ": "), row["error"])
                    self.assertEqual(row["status"], status)
                    for validated in ("complete_audio_ms", "rtf", "audio_duration_s", "sample_count", "pcm_sha256", "pcm_bytes", "underruns"):
                        self.assertIsNone(row[validated])
                    self.assertGreaterEqual(row["t_end_ns"], row["t_send_ns"])
                heard = {"no-final", "cut", "wrong-count", "wrong-settings", "error-event", "silent"}
                self.assertEqual(all(r["received_pcm_frames"] > 0 and r["first_pcm_ms"] is not None for r in rows), model in heard)
                self.assertEqual(list((folder / "run").rglob("*.pcm")), [])

    def test_good_rows_among_failed_ones_make_the_figures(self):
        with SpeechServer() as server, Folder() as folder:
            done = bench(server, folder, "--json", "--warmup", 0, model="every-second-fails")
            self.assertEqual(done.returncode, 1)
            data = json.loads(done.stdout)["data"]
            self.assertEqual((data["total_requests"], data["failed_requests"]), (6, 3))
            self.assertEqual(data["per_request"]["first_audio_ms"]["n"], 3)
            self.assertEqual([r["n_failed"] for r in data["rounds"]], [1, 1, 1])
            self.assertEqual(len(data["claim_validity"]["violations"]), 3)

    def test_a_server_that_never_answers_costs_its_timeout_and_no_more(self):
        with SpeechServer() as server, Folder() as folder:
            done = bench(server, folder, "--rounds", 2, "--warmup", 1, "--timeout-s", 0.2, model="never")
            self.assertEqual(done.returncode, 1)
            rows = rows_of(folder)
            self.assertEqual([row["error"].split(":")[0] for row in rows], ["timeout"] * 4)
            for row in rows:
                self.assertGreaterEqual(row["t_end_ns"] - row["t_send_ns"], 0.2e9)
                self.assertIsNone(row["status"])
            self.assertIn("Warm-up absent or failed", done.stdout)

    def test_nobody_listening(self):
        with SpeechServer() as server:
            url = server.url
        with Folder() as folder:
            done = playhead("bench", "--base-url", url, "--model", "m", "--fixtures", write_fixtures(folder, TEXTS), "--rounds", 1, "--json")
            self.assertEqual(done.returncode, 1)
            data = json.loads(done.stdout)["data"]
            self.assertTrue(all(v.startswith("connect: ") for v in data["claim_validity"]["violations"]))
            self.assertIsNone(data["per_request"]["first_audio_ms"]["median"])


class Secrets(unittest.TestCase):
    KEY = "opensesame-4711"

    def test_the_key_is_sent_and_never_written(self):
        for model in ("good", "status-500", "error-event"):
            for as_json in ((), ("--json",)):
                with self.subTest(model=model, as_json=as_json), SpeechServer() as server, Folder() as folder:
                    done = bench(server, folder, "--api-key-env", "SPEECH_KEY", *as_json, model=model, env={"SPEECH_KEY": self.KEY})
                    self.assertEqual({e["headers"]["authorization"] for e in server.requests}, {"Bearer " + self.KEY})
                    written = [done.stdout, done.stderr] + [p.read_bytes().decode("latin-1") for p in folder.rglob("*") if p.is_file()]
                    for text in written:
                        self.assertNotIn(self.KEY, text)
                        self.assertNotIn(server.url, text)
                    if model != "good":
                        self.assertIn("[redacted]", "".join(written))


class Refused(unittest.TestCase):
    def test_wrong_arguments_are_one_line_exit_2_and_nothing_is_sent(self):
        with SpeechServer() as server, Folder() as folder:
            fixtures = write_fixtures(folder, TEXTS)
            bad = folder / "bad.jsonl"
            bad.write_text('{"id":"a","text":""}\n')
            good = {"--base-url": server.url, "--model": "m", "--fixtures": str(fixtures)}
            for changed, message in [
                ({"--rounds": "0"}, "--rounds is 0"),
                ({"--rounds": "x"}, "--rounds"),
                ({"--rounds": "99999999999999999999"}, "--rounds"),
                ({"--first-round": "-1"}, "--first-round is -1"),
                ({"--warmup": "-1"}, "--warmup is -1"),
                ({"--resamples": "0"}, "--resamples is 0"),
                ({"--sample-rate": "7999"}, "--sample-rate is 7999"),
                ({"--sample-rate": "192001"}, "--sample-rate is 192001"),
                ({"--channels": "9"}, "--channels is 9"),
                ({"--channels": "0"}, "--channels is 0"),
                ({"--timeout-s": "0"}, "--timeout-s is 0"),
                ({"--timeout-s": "inf"}, "--timeout-s"),
                ({"--timeout-s": "nan"}, "--timeout-s"),
                ({"--slo-rtf": "-1"}, "--slo-rtf is -1"),
                ({"--slo-first-audio-p95-ms": "nan"}, "--slo-first-audio-p95-ms"),
                ({"--label": "../up"}, "--label"),
                ({"--label": ""}, "--label"),
                ({"--model": " "}, "--model"),
                ({"--save-outputs": "some"}, "--save-outputs"),
                ({"--settings": "[]"}, "--settings"),
                ({"--settings": "{"}, "--settings"),
                ({"--settings": '{"a":NaN}'}, "--settings"),
                ({"--settings": '{"a":1e999}'}, "--settings"),
                ({"--settings": '{"seed":1}'}, "--settings"),
                ({"--settings": '{"\\u0073eed":1}'}, "--settings"),
                ({"--settings": '{"a":1,"a":2}'}, "--settings"),
                ({"--settings": '{"api_key":"x"}'}, "api_key looks like a secret"),
                ({"--base-url": "http://user:pw@127.0.0.1:1"}, "--base-url"),
                ({"--base-url": "http://127.0.0.1:1/?a=b"}, "--base-url"),
                ({"--base-url": "ftp://127.0.0.1"}, "--base-url"),
                ({"--api-key-env": "NO_SUCH_VARIABLE_HERE"}, "NO_SUCH_VARIABLE_HERE is not set"),
                ({"--fixtures": str(folder / "missing.jsonl")}, "cannot be read"),
                ({"--fixtures": str(bad)}, "bad.jsonl:1: text must be"),
                ({"--no-such": "x"}, "--no-such"),
            ]:
                with self.subTest(message, changed=changed):
                    done = playhead("bench", *[word for pair in {**good, **changed}.items() for word in pair])
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertEqual(done.stdout, "")
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                    self.assertIn(message, done.stderr)
                    self.assertNotIn("pw@", done.stderr)
            for missing in good:
                done = playhead("bench", *[word for pair in good.items() if pair[0] != missing for word in pair])
                self.assertEqual(done.returncode, 2)
                self.assertIn(missing, done.stderr)
            self.assertEqual(server.requests, [])

    def test_a_folder_that_cannot_be_written_is_exit_3(self):
        with SpeechServer() as server, Folder() as folder:
            (folder / "taken").write_text("x")
            done = playhead(
                "bench", "--base-url", server.url, "--model", "m", "--fixtures", write_fixtures(folder, TEXTS), "--run-dir", folder / "taken" / "below"
            )
            self.assertEqual(done.returncode, 3)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn("taken", done.stderr)
            self.assertEqual(server.requests, [])

    def test_help_names_every_argument(self):
        done = playhead("bench", "--help")
        self.assertEqual(done.returncode, 0)
        for argument in ("--base-url", "--rounds", "--timeout-s", "--slo-first-audio-p95-ms", "--json", "--run-dir"):
            self.assertIn(argument, done.stdout)
        for arguments in ((), ("nothing",), ("--nothing",)):
            done = playhead(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertRegex(playhead("--version").stdout, r"^playhead \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    run_tests(sys.modules[__name__])
