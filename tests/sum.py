"""Adds up what the test programs of some build folders counted: a table, the output of those that failed, and the sum at the end.

Every program's last line is `N passed, N failed`. One that does not say so, or ends badly without a failure, counts as one failure.
"""
import json
import re
import sys

passed = failed = 0
for folder in sys.argv[1:]:
    print(f"{folder}:")
    with open(f"{folder}/meson-logs/testlog.json", encoding="utf-8") as log:
        tests = [json.loads(line) for line in log]
    if not tests:
        failed += 1
        print("    no test ran")
    for test in tests:
        output = test.get("stdout", "")
        counts = re.findall(r"^(\d+) passed, (\d+) failed$", output, re.MULTILINE)
        good, bad = map(int, counts[-1]) if counts else (0, 1)
        if test["result"] != "OK" and bad == 0:
            bad = 1
        passed += good
        failed += bad
        print(f"    {test['name'].split(' / ')[-1]:32} {good:8} passed {bad:4} failed {test['duration']:8.1f} s")
        if bad:
            print(output + test.get("stderr", ""))
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
