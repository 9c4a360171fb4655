"""Runs the program for tests, and unittest so that its last line counts."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
DATA = pathlib.Path(sys.argv[2]).resolve()


def playhead(*arguments, stdin=None, env=None, cwd=None, timeout=120):
    """The finished process, with its output as text."""
    environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    environment.update(env or {})
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, text=True, env=environment, cwd=cwd, timeout=timeout, check=False
    )


def lines_of(text):
    return [json.loads(line) for line in text.splitlines() if line.strip()]


class Folder(tempfile.TemporaryDirectory):
    """A folder of a test's own, as a path."""

    def __enter__(self):
        return pathlib.Path(super().__enter__())


def write_fixtures(folder, texts):
    path = pathlib.Path(folder) / "fixtures.jsonl"
    path.write_text("".join(json.dumps({"id": id_, "text": text}) + "\n" for id_, text in texts), encoding="utf-8")
    return path


def run_tests(module):
    """Runs the tests of a module, then prints how many passed and failed."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    outcome = unittest.TextTestRunner(stream=sys.stderr, verbosity=1).run(suite)
    failed = len({str(test) for test, _ in outcome.failures + outcome.errors})
    print(f"{outcome.testsRun - failed} passed, {failed} failed")
    sys.exit(0 if outcome.wasSuccessful() and outcome.testsRun > 0 else 1)
