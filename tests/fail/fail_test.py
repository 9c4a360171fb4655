"""Wrong uses do not compile, and the compiler's words say what is wrong; the right use beside each compiles."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"


def compile_(compiler, path, *flags):
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", *flags, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def main():
    passed, failures = 0, []
    for path in sorted(HERE.glob("*.cpp")):
        expected = re.search(r"^// expect: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)[1]
        for compiler in ("g++", "clang++"):
            code, said = compile_(compiler, path)
            lines = [line for line in said.splitlines() if re.search(expected, line)]
            right_code, right_said = compile_(compiler, path, "-DRIGHT")
            if code == 0:
                failures.append(f"{compiler} accepts {path.name}")
            elif not lines:
                failures.append(f"{compiler} on {path.name} does not say {expected}:\n{said}")
            elif right_code != 0:
                failures.append(f"{compiler} refuses the right use in {path.name}:\n{right_said}")
            else:
                passed += 1
    print(*failures, sep="\n")
    print(f"{passed} passed, {len(failures)} failed")
    return len(failures) > 0 or passed == 0


sys.exit(main())
