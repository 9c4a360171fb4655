"""The tree keeps its rules, and each rule finds a violation that is planted in a copy of the tree."""
import pathlib
import shutil
import sys
import tempfile

import tree

ROOT = pathlib.Path(sys.argv[1]).resolve()

# A check, the file to change in the copy, what is added to it (or None: it goes), and a word of the complaint.
PLANTED = [
    (tree.layers, "include/playhead/core/time.hpp", '#include "../wire/text.hpp"\n', "not below it"),
    (tree.layers, "include/playhead/core/time.hpp", "#include <playhead/core/assert.hpp>\n", "relative"),
    (tree.layers, "include/playhead/wire/text.hpp", '#include "../core/gone.hpp"\n', "not there"),
    (tree.layers, "include/playhead/wire/text.hpp", '#include "../playhead.hpp"\n', "everything"),
    (tree.layers, "adapters/curl/endpoint.cpp", "#include <server/engine.hpp>\n", "not below it"),
    (tree.layers, "include/playhead/attic/old.hpp", "#pragma once\n// old: something\n", "layers.txt"),
    (tree.permitted, "include/playhead/stats/philox.hpp", "#include <vector>\n", "<vector>"),
    (tree.permitted, "include/playhead/stats/philox.hpp", "inline void f(int* p) { std::stable_sort(p, p + 1); }\n", "stable_sort"),
    (tree.permitted, "include/playhead/stats/philox.hpp", "inline void f() { throw 1; }\n", "throw"),
    (tree.form, "include/playhead/stats/second.hpp", "// second: no guard\n", "#pragma once"),
    (tree.form, "include/playhead/stats/second.hpp", "#pragma once\n#include <array>\n", "`// second: `"),
    (tree.form, "include/playhead/stats/philox.hpp", "//\n" * 340, "lines"),
    (tree.whole, "include/playhead/stats/second.hpp", "#pragma once\n// second: not included\n", "0 times"),
    (tree.whole, "include/playhead/attic/old.hpp", "#pragma once\n// old: something\n", "attic is not described"),
    (tree.tested, "tests/stats/philox_test.cpp", None, "philox_test.cpp"),
    (tree.tested, "adapters/posix/failure.hpp", None, "failure.hpp"),
    (tree.tested, "tests/stats/lonely_test.cpp", "int x;\n", "in no build file"),
    (tree.tested, "tests/cli/lonely_test.py", "pass\n", "in no build file"),
    (tree.words, "include/playhead/stats/philox.hpp", "// TO" + "DO: faster\n", "philox.hpp"),
    (tree.words, "README.md", "Built in /wo" + "rk/here.\n", "README.md"),
    (tree.formatted, "include/playhead/stats/philox.hpp", "inline   int  badly( ){return 1;}\n", "philox.hpp"),
]


def main():
    passed = 0
    failures = []
    for check in tree.CHECKS:
        complaints = list(check(ROOT))
        failures += complaints
        passed += not complaints
    for check, name, addition, word in PLANTED:
        with tempfile.TemporaryDirectory(prefix="playhead tree ") as folder:
            copy = pathlib.Path(folder).resolve() / "copy"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("build*", ".git", "out", "data"))
            path = copy / name
            if addition is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                with open(path, "a", encoding="utf-8") as file:
                    file.write(addition)
            found = [line for line in check(copy) if word in line]
            if found:
                passed += 1
            else:
                failures.append(f"{check.__name__} does not see {addition!r} in {name}")
    print(*failures, sep="\n")
    print(f"{passed} passed, {len(failures)} failed")
    return len(failures) > 0


sys.exit(main())
