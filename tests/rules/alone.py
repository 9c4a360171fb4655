"""Every header compiles by itself, twice over, under each compiler, without exceptions, RTTI or a warning."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
STRICT = ["-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only"]
ARM = ["arm-none-eabi-g++", "-mcpu=cortex-m4", "-mthumb", "-Wno-psabi"]
COMPILERS = [["g++"], ["clang++"], ARM]


def compiles(compiler, code):
    """What the compiler has to say; nothing when all is well."""
    done = subprocess.run([*compiler, *STRICT, f"-I{ROOT / 'include'}", "-xc++", "-"], input=code, capture_output=True, text=True, check=False)
    return done.stderr or (f"exit code {done.returncode}" if done.returncode else "")


def main():
    for compiler in COMPILERS:
        if not shutil.which(compiler[0]):
            print(f"{compiler[0]} is missing\n0 passed, 1 failed")
            return True
    headers = sorted(str(p.relative_to(ROOT / "include")) for p in (ROOT / "include").glob("playhead/**/*.hpp"))
    jobs = [(f"{compiler[0]} {header}", compiler, f"#include <{header}>\n#include <{header}>\n") for compiler in COMPILERS for header in headers]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda job: compiles(*job[1:]), jobs))
    failures = [f"{job[0]}:\n{what}" for job, what in zip(jobs, said) if what]
    # A check that can fail: each compiler refuses an exception, RTTI and a narrowing.
    wrong = ["void f() { throw 1; }", "struct a { virtual ~a(); }; void* f(a* p) { return dynamic_cast<void*>(p) ? p : nullptr; } "
             "struct b : a {}; b* g(a* p) { return dynamic_cast<b*>(p); }", "short f(int x) { return x; }"]
    seen = [(compiler, code) for compiler in COMPILERS for code in wrong]
    failures += [f"{compiler[0]} accepts {code}" for compiler, code in seen if not compiles(compiler, code)]
    print(*failures, sep="\n")
    print(f"{len(jobs) + len(seen) - len(failures)} passed, {len(failures)} failed")
    return len(failures) > 0


sys.exit(main())
