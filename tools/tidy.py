#!/usr/bin/env python3
"""Runs clang-tidy on the sources.

--changed: only on those that differ from origin/main (none when there is no such ref).
--budget:  stop starting new files after so many seconds, and say how many were left.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import time

import sources

BUILD = sources.ROOT / "build" / "tidy"
SOURCE_DIRECTORIES = ("src", "tests", "examples")


def configure():
    """Configures a build for clang-tidy: each source is compiled by itself, without precompiled headers."""
    done = subprocess.run(["cmake", "--preset", "clang", "-B", str(BUILD), "-DWEFT_UNITY=OFF",
                           "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"], cwd=sources.ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        print(done.stdout)
    return done.returncode == 0


def compiled():
    """The sources that are compiled, relative to the root."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    result = set()
    for command in commands:
        path = pathlib.Path(command["directory"], command["file"])
        if path.is_relative_to(sources.ROOT):
            relative = path.relative_to(sources.ROOT)
            if relative.parts[0] in SOURCE_DIRECTORIES:
                result.add(relative)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--budget", type=float, default=float("inf"))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()

    tool = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if tool is None:
        print("tidy: clang-tidy is missing; run tools/setup", file=sys.stderr)
        return 1
    difference = sources.changed() if options.changed else None
    if options.changed and not difference:
        print("    nothing differs from origin/main: nothing to do")
        return 0
    if not configure():
        return 1
    selection = compiled()
    if options.changed:
        selection &= difference

    deadline = time.monotonic() + options.budget

    def check(path):
        if time.monotonic() > deadline:
            return path, None, ""
        run = subprocess.run([tool, "--quiet", "-p", str(BUILD), str(path)], cwd=sources.ROOT,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return path, run.returncode == 0, run.stdout

    # The library first, should the budget not reach all.
    order = sorted(selection, key=lambda path: (SOURCE_DIRECTORIES.index(path.parts[0]), path))
    clean, bad, left = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, fine, output in pool.map(check, order):
            if fine is None:
                left += 1
            elif fine:
                clean += 1
            else:
                bad += 1
                print(f"--- {path}\n{output}", flush=True)
    print(f"    {clean} clean, {bad} with findings, {left} left for `make tidy`")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
