"""What holds for the files of the tree, checked against a folder. Each check yields a line for each violation."""
import fnmatch
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
OUR_FOLDERS = ["include", "adapters", "tests", "bench", "examples"]


def files(root, *patterns):
    return sorted(p for pattern in patterns for p in root.glob(pattern) if p.is_file())


def text(path):
    return path.read_text(encoding="utf-8")


def table(name):
    """The lines `key: value` of a list beside this file."""
    lines = (line for line in text(HERE / name).splitlines() if line and not line.startswith("#"))
    return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}


def room_of(root, path):
    parts = path.relative_to(root).parts
    return "/".join(parts[:2]) if parts[0] == "adapters" else parts[2] if len(parts) > 3 else ""


def layers(root):
    """Includes point down, and between rooms below include/ they are relative."""
    allowed = {room: below.split() for room, below in table("layers.txt").items()}
    for path in files(root, "include/playhead/*/*.hpp", "adapters/*/*.[ch]pp"):
        room = room_of(root, path)
        name = path.relative_to(root)
        if room not in allowed:
            yield f"{name}: the room {room} is not in tests/rules/layers.txt"
            continue
        for quoted, angled in INCLUDE.findall(text(path)):
            if path.is_relative_to(root / "include") and angled.startswith("playhead/"):
                yield f"{name}: includes <{angled}>, where a relative path belongs"
                continue
            if quoted:
                candidates = [path.parent / quoted, root / "adapters" / quoted]
            else:
                candidates = [root / "include" / angled, root / "adapters" / angled]
            found = next((c.resolve() for c in candidates if c.is_file()), None)
            if found is None:
                if quoted:
                    yield f'{name}: includes "{quoted}", which is not there'
                continue
            below = room_of(root.resolve(), found)
            if below == "":
                yield f"{name}: includes {found.name}, which includes everything"
            elif below != room and below not in allowed[room]:
                yield f"{name}: {room} includes {below}, which is not below it"


def permitted(root):
    """Below include/ only standard headers that need no heap, exceptions or operating system."""
    may = " ".join(line for line in text(HERE / "permitted_headers.txt").splitlines() if not line.startswith("#")).split()
    banned = re.compile(r"\b(stable_sort|stable_partition|inplace_merge|get_temporary_buffer|std::string\b|std::vector|std::function|"
                        r"throw|try|catch|dynamic_cast|typeid|thread_local|__int128|long double|malloc|calloc|realloc|\.substr\()")
    for path in files(root, "include/**/*.hpp"):
        content = text(path)
        name = path.relative_to(root)
        for _, angled in INCLUDE.findall(content):
            if angled and not angled.startswith("playhead/") and angled not in may:
                yield f"{name}: <{angled}> is not in tests/rules/permitted_headers.txt"
        for number, line in enumerate(content.splitlines(), 1):
            code = re.sub(r'"(\\.|[^"\\])*"', '""', line).split("//")[0]
            for word in banned.findall(code):
                yield f"{name}:{number}: {word.strip()} does not belong below include/"


def form(root):
    """A header begins with #pragma once and a comment `// name: what it is`, and is short."""
    for path in files(root, "include/playhead/**/*.hpp", "adapters/*/*.hpp"):
        lines = text(path).splitlines()
        name = path.relative_to(root)
        if lines[:1] != ["#pragma once"]:
            yield f"{name}: the first line is not #pragma once"
        if len(lines) < 2 or not re.match(rf"// {path.stem}(<\w+>)?: ", lines[1]):
            yield f"{name}: the second line does not begin with `// {path.stem}: `"
        if len(lines) > 340:
            yield f"{name}: {len(lines)} lines; a header with one idea needs at most 340"


def whole(root):
    """playhead.hpp includes every header, each once; each room is named in docs/ARCHITECTURE.md."""
    here = root / "include" / "playhead"
    every = [str(p.relative_to(here)) for p in files(here, "*/*.hpp")]
    included = [quoted for quoted, _ in INCLUDE.findall(text(here / "playhead.hpp"))]
    for header in every:
        if included.count(header) != 1:
            yield f"include/playhead/playhead.hpp: includes {header} {included.count(header)} times"
    architecture = text(root / "docs" / "ARCHITECTURE.md")
    for room in sorted({header.split("/")[0] for header in every}):
        if f"`include/playhead/{room}/`" not in architecture:
            yield f"docs/ARCHITECTURE.md: the room {room} is not described"


def tested(root):
    """Every header has its test file, or a reason in untested.txt; every source file is in a build file."""
    reasons = table("untested.txt")
    used = set()
    for path in files(root, "include/playhead/**/*.hpp", "adapters/*/*.hpp"):
        name = str(path.relative_to(root))
        test = root / "tests" / path.parent.name / f"{path.stem}_test.cpp"
        excused = [pattern for pattern in reasons if fnmatch.fnmatch(name, pattern)]
        used.update(excused)
        if test.is_file() == bool(excused):
            yield f"{name}: " + ("both tested and excused in untested.txt" if excused else f"no {test.relative_to(root)}, and no reason in untested.txt")
    for pattern in reasons.keys() - used:
        yield f"tests/rules/untested.txt: {pattern} is no header"
    # Build files name their sources in lists, some of them without the ending.
    built = "\n".join(text(p) for p in files(root, "meson.build", *(f"{f}/**/meson.build" for f in OUR_FOLDERS)))
    words = set(re.findall(r"'([^']+)'", built))
    for path in files(root, *(f"{f}/**/*.cpp" for f in ["adapters", "tests", "bench", "examples"])) + files(root, "tests/**/*_test.py"):
        stem = path.stem
        names = {path.name, stem, stem.removesuffix("_test"), stem.removesuffix("_bench"), str(path.relative_to(root)),
                 f"{path.parent.name}/{path.name}"}
        if any(path.is_relative_to(root / "tests" / folder) for folder in ("fail", "usage", "rules")) and path.suffix == ".cpp":
            continue  # their programs take every file of their folder
        if not names & words:
            yield f"{path.relative_to(root)}: in no build file"


def words(root):
    """The project speaks of itself alone, and leaves nothing for later in its code."""
    own = pathlib.Path(__file__).name
    foreign = re.compile(r"/work/|/root/|/home/|\.\./shared|\bTODO\b|\bFIXME\b|\bXXX\b|\b[Ii]ssue \d|\bsession \d|\bsubagent|\bDESIGN\.md|\bSTYLE\.md|"
                         r"\bFACTS\.md|\bPEERS\.md|\bseeds?/|golden/")
    kinds = ["*.md", "docs/*.md", "*.build", "*.options", "tools/*", ".ci/*"]
    for path in files(root, *kinds, *(f"{f}/**/*.{e}" for f in OUR_FOLDERS for e in ["hpp", "cpp", "py", "sh", "txt", "build", "md"])):
        if path.name == own:
            continue
        for number, line in enumerate(text(path).splitlines(), 1):
            for word in foreign.findall(line):
                yield f"{path.relative_to(root)}:{number}: {word!r} does not belong here"


def formatted(root):
    """clang-format leaves every file as it is."""
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not program:
        yield "clang-format is missing"
        return
    every = files(root, *(f"{f}/**/*.[ch]pp" for f in OUR_FOLDERS))
    done = subprocess.run([program, "--dry-run", f"--style=file:{root}/.clang-format", *every], capture_output=True, text=True, check=False)
    bad = {line.split(":")[0] for line in done.stderr.splitlines() if "clang-format-violations" in line}
    for path in sorted(bad):
        yield f"{pathlib.Path(path).relative_to(root)}: clang-format would change it"
    if done.returncode and not bad:
        yield done.stderr


CHECKS = [layers, permitted, form, whole, tested, words, formatted]
