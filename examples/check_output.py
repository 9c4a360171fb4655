"""Runs an example and compares what it prints with the file beside it."""
import subprocess
import sys

program, expected_file = sys.argv[1:]
expected = open(expected_file, encoding="utf-8").read()
done = subprocess.run([program], capture_output=True, text=True, check=False)
right = done.returncode == 0 and done.stdout == expected
if not right:
    print(f"{program} exited with {done.returncode} and printed\n{done.stdout}{done.stderr}where {expected_file} has\n{expected}")
print(f"{int(right)} passed, {int(not right)} failed")
sys.exit(not right)
