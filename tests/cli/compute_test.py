"""`playhead compute`: the reference rows, the reported cases, and what happens with bad lines."""
import json
import math
import sys
import unittest

from program import DATA, lines_of, playhead, run_tests

TIMES = ("_ms",)


def agree(name, got, expected):
    """Times within 1e-6 ms, other fractions within 1e-9 relative, the rest exactly."""
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(key in got and agree(key, got[key], value) for key, value in expected.items())
    if isinstance(expected, list):
        return isinstance(got, list) and len(got) == len(expected) and all(agree(name, g, e) for g, e in zip(got, expected))
    if isinstance(expected, float) and not isinstance(got, bool) and isinstance(got, (int, float)):
        if name.endswith(TIMES) or name == "stalls":
            return abs(got - expected) <= 1e-6
        return math.isclose(got, expected, rel_tol=1e-9, abs_tol=0)
    return type(got) is type(expected) and got == expected or (isinstance(expected, int) and isinstance(got, float) and got == expected)


class Reference(unittest.TestCase):
    def rows(self, file):
        return lines_of((DATA / "reference" / file).read_text(encoding="utf-8"))

    def check(self, name, rows, inputs, expectation):
        done = playhead("compute", name, stdin="".join(json.dumps({k: row[k] for k in inputs}) + "\n" for row in rows))
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = lines_of(done.stdout)
        self.assertEqual(len(answers), len(rows))
        for number, (row, answer) in enumerate(zip(rows, answers)):
            self.assertTrue(agree("", answer, expectation(row)), f"{name} row {number}: {answer} is not {expectation(row)}")

    def test_playback(self):
        self.check("playback", self.rows("playback.jsonl"), ("chunks", "sample_rate"), lambda row: row["expect"])

    def test_onset(self):
        self.check("onset", self.rows("onset.jsonl"), ("chunks", "sample_rate", "leading_silent_frames"), lambda row: row["expect"])

    def test_percentile(self):
        self.check("percentile", self.rows("percentile.jsonl"), ("values",), lambda row: {k: row[k] for k in ("linear", "nearest_rank")})

    def test_bootstrap(self):
        self.check("bootstrap", self.rows("bootstrap.jsonl"), ("values", "units", "percentiles"), lambda row: row["expect"])

    def test_round_seed(self):
        self.check("round-seed", self.rows("round_seed.jsonl"), ("seed_base", "round_index"), lambda row: {"seed": row["seed"]})

    def test_reported_cases(self):
        known = ("playback", "onset", "percentile", "bootstrap", "round-seed")
        rows = [r for r in lines_of((DATA / "reported.jsonl").read_text(encoding="utf-8")) if r.get("compute") in known]
        self.assertGreater(len(rows), 8)
        for row in rows:
            with self.subTest(row["id"]):
                done = playhead("compute", row["compute"], stdin=json.dumps(row["row"]) + "\n")
                self.assertTrue(agree("", json.loads(done.stdout), row["expect"]), done.stdout)


class BadLines(unittest.TestCase):
    def test_a_bad_line_is_answered_in_its_place_and_the_rest_goes_on(self):
        good = '{"values": [1, 2, 3]}\n'
        done = playhead("compute", "percentile", stdin=good + "nonsense\n\n" + good + '{"values": []}\n[1]\n')
        self.assertEqual(done.returncode, 2)
        answers = lines_of(done.stdout)
        self.assertEqual([a.get("line") for a in answers], [None, 2, None, 5, 6])
        self.assertEqual(answers[0]["linear"]["50"], 2)
        self.assertIn("character 2", answers[1]["error"])
        self.assertIn("empty", answers[3]["error"])

    def test_each_wrong_member_is_named(self):
        chunk = {"t_ms": 1.0, "samples": 5}
        for name, row, message in [
            ("playback", {"chunks": []}, "sample_rate is missing"),
            ("playback", {"chunks": [], "sample_rate": 0}, "sample_rate must be a whole number"),
            ("playback", {"chunks": [], "sample_rate": 2.5}, "sample_rate must be a whole number"),
            ("playback", {"chunks": {}, "sample_rate": 8000}, "chunks must be an array"),
            ("playback", {"chunks": [3], "sample_rate": 8000}, "chunks[0] must be an object"),
            ("playback", {"chunks": [chunk, {"t_ms": 2}], "sample_rate": 8000}, "samples is missing"),
            ("playback", {"chunks": [chunk, {"t_ms": "2", "samples": 1}], "sample_rate": 8000}, "chunks[1].t_ms must be a finite number"),
            ("playback", {"chunks": [chunk, {"t_ms": 0.5, "samples": 1}], "sample_rate": 8000}, "chunks[1].t_ms is earlier"),
            ("playback", {"chunks": [{"t_ms": 1, "samples": -1}], "sample_rate": 8000}, "chunks[0].samples must be a whole number"),
            ("playback", {"chunks": [{"t_ms": 1e300, "samples": 1}], "sample_rate": 8000}, "chunks[0].t_ms must be within"),
            ("onset", {"chunks": [chunk], "sample_rate": 8000}, "leading_silent_frames is missing"),
            ("percentile", {"values": [1, "x"]}, "values[1] must be a finite number"),
            ("percentile", {"values": [1], "percentiles": [101]}, "percentiles must be from 0 to 100"),
            ("bootstrap", {"values": [1, 2], "units": [1]}, "units must be as many as values"),
            ("bootstrap", {"values": [1], "units": [1.5]}, "units[0] must be a whole number"),
            ("round-seed", {"seed_base": 2**63, "round_index": 0}, "seed_base must be a whole number"),
        ]:
            with self.subTest(message):
                done = playhead("compute", name, stdin=json.dumps(row) + "\n")
                self.assertEqual(done.returncode, 2)
                answer = json.loads(done.stdout)
                self.assertIn(message, answer["error"])
                self.assertEqual(answer["line"], 1)

    def test_numbers_that_are_no_json_are_refused(self):
        for line in ('{"values": [NaN]}', '{"values": [Infinity]}', '{"values": [1e999]}', '{"values": [1,]}'):
            done = playhead("compute", "percentile", stdin=line + "\n")
            self.assertEqual(done.returncode, 2, line)
            self.assertEqual(set(json.loads(done.stdout)), {"error", "line"})

    def test_unknown_names_and_files(self):
        for arguments in (("compute", "nothing"), ("compute",), ("compute", "percentile", "/no/such/file")):
            done = playhead(*arguments, stdin="")
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stdout, "")
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_no_lines_are_no_answers(self):
        done = playhead("compute", "onset", stdin="")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class Defaults(unittest.TestCase):
    def test_other_percentiles_can_be_asked_for(self):
        done = playhead("compute", "percentile", stdin='{"values": [1, 2, 3, 4], "percentiles": [12.5, 50]}\n')
        self.assertEqual(json.loads(done.stdout), {"linear": {"12.5": 1.375, "50": 2.5}, "nearest_rank": {"12.5": 1.0, "50": 2.0}})

    def test_more_than_ten_units_are_drawn_the_same_way_each_time(self):
        row = json.dumps({"values": [float(i * 7 % 60) for i in range(60)], "units": [i % 12 for i in range(60)], "resamples": 2000}) + "\n"
        first, second = playhead("compute", "bootstrap", stdin=row), playhead("compute", "bootstrap", stdin=row)
        self.assertEqual(first.stdout, second.stdout)
        answer = json.loads(first.stdout)
        self.assertLessEqual(answer["ci95_p50"][0], answer["p50"])
        self.assertGreaterEqual(answer["ci95_p50"][1], answer["p50"])


if __name__ == "__main__":
    run_tests(sys.modules[__name__])
