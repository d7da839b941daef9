#!/usr/bin/env python3
"""Compiles every source and header of the library alone, which finds missing includes.

Usage: check_alone.py [--jobs N] [--compiler CXX] [--public | FILE...]

The build compiles many files together, where a file sees the includes of those before it. This checks the
syntax only. A header that is the first include of a source is checked with that source. Public headers are
compiled with include/ only; --public checks these alone: `ctest -R headers.alone`.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pthread"]
FIRST_INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)


def sources():
    return sorted((ROOT / "src").rglob("*.cpp"))


def headers():
    """All headers, except those that are the first include of a source."""
    opening = set()
    for source in sources():
        found = FIRST_INCLUDE.search(source.read_text(encoding="utf-8"))
        if found:
            opening.add(found[1])
    for place in ["include", "src"]:
        for header in sorted((ROOT / place).rglob("*.h*")):
            if header.relative_to(ROOT / place).as_posix() not in opening:
                yield header


def public_headers():
    return sorted((ROOT / "include").rglob("*.h*"))


class Checker:
    def __init__(self, compiler, empty):
        self.compiler = compiler
        self.empty = empty
        self.libuv = shlex.split(subprocess.run(["pkg-config", "--cflags", "libuv"], check=True, text=True,
                                                capture_output=True).stdout)

    def check(self, path):
        """The errors of the compiler for the file."""
        command = [self.compiler, *FLAGS, "-I", ROOT / "include"]
        if path.is_relative_to(ROOT / "src"):
            command += ["-I", ROOT / "src", *self.libuv]
        # Twice: a header may be included again.
        command += [path] if path.suffix == ".cpp" else ["-include", path, "-include", path, self.empty]
        return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--public", action="store_true", help="only the headers of include/weft")
    parser.add_argument("files", nargs="*", type=lambda name: pathlib.Path(name).resolve())
    arguments = parser.parse_args()
    files = arguments.files or (public_headers() if arguments.public else [*sources(), *headers()])
    wrong = 0
    with tempfile.NamedTemporaryFile(suffix=".cpp") as empty, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        checker = Checker(arguments.compiler, empty.name)
        for path, text in zip(files, pool.map(checker.check, files)):
            if text:
                wrong += 1
                print(f"{path.relative_to(ROOT)} does not compile alone:\n{text}")
    print(f"check_alone: {len(files)} files, {wrong} do not compile alone")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
