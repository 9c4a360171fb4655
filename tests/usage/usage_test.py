"""A foreign project of two translation units finds the library in each way that the README names, and gets the same answer."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXPECTED = "100 ms, 0 underruns, median 150 ms, 0 chunks, ba7816bf\n"


def run(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def built_by_meson(project, **more):
    run("meson", "setup", project / "build", project, **more)
    run("ninja", "-C", project / "build")
    return run(project / "build" / "listener")


def as_subproject(folder):
    project = shutil.copytree(HERE / "project", folder / "subproject")
    (project / "subprojects").mkdir()
    (project / "subprojects" / "playhead").symlink_to(ROOT)
    return built_by_meson(project)


def from_pkg_config(folder):
    off = [f"-D{option}=disabled" for option in ("cli", "tests", "bench", "examples")]
    run("meson", "setup", folder / "library", ROOT, f"--prefix={folder / 'prefix'}", *off)
    run("meson", "install", "-C", folder / "library")
    project = shutil.copytree(HERE / "project", folder / "installed")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder / "prefix" / "share" / "pkgconfig")}
    return built_by_meson(project, env=environment)


def by_include_path(folder):
    sources = [HERE / "project" / name for name in ("main.cpp", "hearing.cpp")]
    run("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", *sources, "-o", folder / "plain")
    return run(folder / "plain")


def main():
    passed, failures = 0, []
    with tempfile.TemporaryDirectory(prefix="playhead usage ") as folder:
        for way in (as_subproject, from_pkg_config, by_include_path):
            try:
                said = way(pathlib.Path(folder))
            except RuntimeError as error:
                said = str(error)
            if said == EXPECTED:
                passed += 1
            else:
                failures.append(f"{way.__name__}: {said}")
    print(*failures, sep="\n")
    print(f"{passed} passed, {len(failures)} failed")
    return len(failures) > 0


sys.exit(main())
