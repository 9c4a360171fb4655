"""Every code block of the documents is code that is compiled, output that was printed, or a command that exists."""
import pathlib
import re
import shutil
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(sys.argv[1]).resolve()
BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text(path):
    return path.read_text(encoding="utf-8")


def documents(root):
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])


def shown_part(path):
    return textwrap.dedent(re.search(r"// \[shown\]\n(.*?)^ *// \[/shown\]", text(path), re.MULTILINE | re.DOTALL)[1])


def command_fault(root, line):
    """What is wrong with a line of shell in a document; None when its program, command and options exist."""
    words = line.split("#")[0].split()
    if not words:
        return None
    if words[0] != "build/playhead":
        return None if (root / words[0]).is_file() else f"{words[0]} is not there"
    sources = "\n".join(text(p) for p in root.glob("adapters/cli/*.cpp"))
    if len(words) < 2 or not (root / "adapters" / "cli" / f"{words[1]}_command.cpp").is_file():
        return f"playhead has no command {words[1:2]}"
    unknown = [word for word in words if word.startswith("--") and word.split("=")[0] not in ("--help",) and f'"{word.split("=")[0]}' not in sources]
    return f"{unknown} is no option" if unknown else None


def block_fault(root, mark, code):
    kind, _, name = (mark or "").partition(": ")
    if kind == "example":
        path = root / name
        if not path.is_file():
            return f"{name} is not there"
        return None if code == shown_part(path) else f"differs from the shown part of {name}"
    if kind == "output":
        path = root / name
        return None if path.is_file() and code.strip() and code == text(path) else f"differs from {name}"
    if kind == "command":
        return next((fault for fault in (command_fault(root, line) for line in code.splitlines()) if fault), None)
    if kind == "drawing":
        return None if re.search(r"[|+>-]{2}", code) else "is no drawing"
    return "says neither which example nor which output, command or drawing it is"


def complaints(root):
    for document in documents(root):
        content = text(document)
        for match in BLOCK.finditer(content):
            fault = block_fault(root, match[1], match[3])
            if fault:
                yield f"{document.relative_to(root)}:{content[:match.start()].count(chr(10)) + 1}: the block {fault}"
        if content.count("```") != 2 * len(BLOCK.findall(content)):
            yield f"{document.relative_to(root)}: a code block is not closed, or indented"
    readme = re.sub(BLOCK, "", text(root / "README.md"))
    for paragraph in readme.split("\n\n"):
        if re.search(r"\d ?(ns|µs|us|[GM]B/s|times)\b", paragraph) and not re.search(r"bench/\w+", paragraph):
            yield f"README.md: a figure without its bench: {paragraph.strip()[:80]}"
    # Examples: short, with their output beside them.
    for example in sorted(root.glob("examples/*.cpp")):
        name = example.relative_to(root)
        if text(example).count("\n") >= 40:
            yield f"{name}: 40 lines or more"
        if not example.with_suffix(".out").is_file():
            yield f"{name}: its output is missing"
    # Code in the comments of headers is code that is compiled somewhere.
    compiled = re.sub(r"\s+", " ", "\n".join(text(p) for f in ("examples", "tests") for p in sorted(root.glob(f"{f}/**/*.cpp"))))
    for header in sorted(root.glob("include/playhead/**/*.hpp")):
        for number, line in enumerate(text(header).splitlines(), 1):
            code = re.match(r"\s*// {5}(\S.*;)(\s*//.*)?$", line)
            if code and re.sub(r"\s+", " ", code[1]) not in compiled:
                yield f"{header.relative_to(root)}:{number}: compiled nowhere: {code[1]}"


def change(path, old, new):
    content = text(path)
    assert old in content, (path, old)
    path.write_text(content.replace(old, new, 1), encoding="utf-8")


# What is changed in a copy, and a word of the complaint.
PLANTED = [
    ("README.md", "listener.on_chunk(30ms", "listener.on_piece(30ms", "differs from the shown part"),
    ("README.md", "1 stall of 89 ms", "2 stalls of 89 ms", "differs from examples/02"),
    ("README.md", "--sample-rate", "--rate", "is no option"),
    ("README.md", "playhead bench", "playhead measure", "no command"),
    ("README.md", "tests/run.sh ", "tests/walk.sh ", "tests/walk.sh is not there"),
    ("README.md", "## Where next", "```cpp\nint x;\n```\n\n## Where next", "says neither"),
    ("README.md", "## Where next", "It takes 3 ns a chunk.\n\n## Where next", "without its bench"),
    ("docs/ARCHITECTURE.md", "<!-- drawing -->\n", "", "says neither"),
    ("examples/02_would_it_have_stalled.cpp", "int main", "//\n" * 40 + "int main", "40 lines"),
    ("include/playhead/measure/session.hpp", "//     measure::session run{", "//     measure::session walk{", "compiled nowhere"),
]


def main():
    failures = list(complaints(ROOT))
    passed = not failures
    for name, old, new, word in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "copy"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("build*", ".git", "out", "data"))
            change(copy / name, old, new)
            if any(word in line for line in complaints(copy)):
                passed += 1
            else:
                failures.append(f"{new!r} in {name} is not noticed")
    print(*failures, sep="\n")
    print(f"{passed} passed, {len(failures)} failed")
    return len(failures) > 0


sys.exit(main())
