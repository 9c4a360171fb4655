"""Every public template compiles with the least types its concept allows (used.cpp), and needs nothing that firmware lacks."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
USED = ROOT / "tests" / "rules" / "used.cpp"
STRICT = ["-std=c++20", "-O2", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
ARM = ["arm-none-eabi-g++", "-mcpu=cortex-m4", "-mthumb", "-Wno-psabi"]
# What an object may leave to its linker: arithmetic and memory. No heap, exceptions, RTTI, guards of statics or standard library.
PERMITTED = re.compile(r"(__aeabi_[dfil]2?\w*|__aeabi_u\w+|exp|log|sqrt|mem(chr|cmp|cpy|move|set))$")


def template_names(text):
    """The names of the public templates that a header declares."""
    text = re.sub(r"namespace detail \{.*?\n\}  // namespace detail\n", "", text, flags=re.DOTALL)
    text = re.sub(r"//.*", "", text)
    text = re.sub(r"\nprivate:.*?\n\};", "\n};", text, flags=re.DOTALL)
    for match in re.finditer(r"^[ \t]*template <(?!>)", text, re.MULTILINE):
        at, depth = match.end(), 1
        while depth:  # behind the parameters
            depth += {"<": 1, ">": -1}.get(text[at], 0)
            at += 1
        declared = re.match(r"\s*(?:(?:class|struct|concept)(?:\s*\[\[\w+\]\])?\s+(\w+)\s*(?=[{;=:\s])|[^({;=]*?([\w:]+)\s*\()", text[at:])
        if not declared:
            yield text[at:at + 60]
        elif "::" not in (name := declared[1] or declared[2]) and not re.match(r"\s*\w+::", text[at:].split(name)[-1]):
            if not re.match(rf"\s*class {name}::", text[at:]):
                yield name


def compile_with(compiler, source, out, flags):
    done = subprocess.run([*compiler, *flags, f"-I{ROOT / 'include'}", "-c", str(source), "-o", str(out)], capture_output=True, text=True, check=False)
    return done.stderr or (f"exit code {done.returncode}" if done.returncode else "")


def foreign_symbols(obj):
    done = subprocess.run(["arm-none-eabi-nm", "-u", str(obj)], capture_output=True, text=True, check=True)
    return [symbol for symbol in (line.split()[-1] for line in done.stdout.splitlines() if line.strip()) if not PERMITTED.match(symbol)]


def main():
    checks = []  # (right, what went wrong)
    with tempfile.TemporaryDirectory() as folder:
        obj = pathlib.Path(folder) / "used.o"
        for compiler in (["g++"], ["clang++"], ARM):
            said = compile_with(compiler, USED, obj, STRICT)
            checks.append((not said, f"{compiler[0]} on used.cpp:\n{said}"))
        if obj.exists():
            foreign = foreign_symbols(obj)
            checks.append((not foreign, f"the Cortex-M object asks for {foreign}"))
        # The same look finds what must not be there.
        for what, code in {
            "the heap": "#include <vector>\nint f(int n) { return std::vector<int>(static_cast<unsigned>(n))[0]; }\n",
            "an exception": "int f(int n) { if (n) throw n; return n; }\n",
            "RTTI": "struct a { virtual ~a(); }; struct b : a {}; b* f(a* p) { return dynamic_cast<b*>(p); }\n",
            "a guarded static": "int g(); int f() { static int n = g(); return n; }\n",
            "a check of the standard library": "#include <string_view>\nchar f(std::string_view s) { return s.at(3); }\n",
        }.items():
            source = pathlib.Path(folder) / "wrong.cpp"
            source.write_text(code, encoding="utf-8")
            said = compile_with(ARM, source, obj, ["-std=c++20", "-O2"])
            found = [] if said else foreign_symbols(obj)
            # g() above is no function of this library, so only the guard counts there
            checks.append((any(symbol != "_Z1gv" for symbol in found), f"{what} is not seen in the object: {said or found}"))
    used = USED.read_text(encoding="utf-8")
    names = 0
    for header in sorted((ROOT / "include").glob("playhead/*/*.hpp")):
        for name in template_names(header.read_text(encoding="utf-8")):
            names += 1
            checks.append((re.search(rf"\b{re.escape(name)}\b", used) is not None, f"{header.relative_to(ROOT)}: the template {name} is not in used.cpp"))
    checks.append((names >= 25, f"only {names} templates were found in the headers"))
    failures = [what for right, what in checks if not right]
    print(*failures, sep="\n")
    print(f"{len(checks) - len(failures)} passed, {len(failures)} failed")
    return len(failures) > 0


if __name__ == "__main__":
    sys.exit(main())
