#!/usr/bin/env python3
"""Counts the preprocessed lines of a small program and compares them with docs/compile_time.md.

Usage: lines.py [--compiler g++] [--write]

Fails when a program has grown by more than 2 %: some header now includes a large one. --write puts the
present lines and seconds into the page, which belongs into a commit that says why. Seconds are not
compared.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "compile_time.md"
PROGRAM = ROOT / "examples" / "hello.cpp"
MARGIN = 1.02
UMBRELLA = "#include <weft/weft.hpp>\n"

# The headers that take the place of weft.hpp in examples/hello.cpp.
NEEDED = ["await", "coroutine", "delay", "runtime"]


def programs():
    """The name of a row of the page, and the source of its program."""
    hello = PROGRAM.read_text(encoding="utf-8")
    assert UMBRELLA in hello
    needed = "".join(f"#include <weft/{name}.hpp>\n" for name in NEEDED)
    return {
        "`hello.cpp` with `<weft/weft.hpp>`": hello,
        "`hello.cpp` with the headers it needs": hello.replace(UMBRELLA, needed),
        "`<iostream>` and `<chrono>` alone": "#include <chrono>\n#include <iostream>\n",
    }


def count_lines(compiler, source):
    run = subprocess.run([compiler, "-std=c++20", "-E", "-P", f"-I{ROOT / 'include'}", source],
                         check=True, capture_output=True, text=True)
    return run.stdout.count("\n")


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(compiler, source):
    """The processor time of a compilation without optimisation, the shortest of three."""
    best = float("inf")
    for _ in range(3):
        start = processor_time()
        subprocess.run([compiler, "-std=c++20", "-c", f"-I{ROOT / 'include'}", source, "-o",
                        "/dev/null"], check=True)
        best = min(best, processor_time() - start)
    return best


def row_of(name):
    return re.compile(rf"^\| {re.escape(name)} \| ([\d,]+) \| ([\d.]+) \|$", re.MULTILINE)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--compiler", default="g++")
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory) / "program.cpp"
        for name, text in programs().items():
            source.write_text(text, encoding="utf-8")
            lines = count_lines(options.compiler, source)
            row = row_of(name).search(page)
            if row is None:
                print(f"{PAGE.relative_to(ROOT)}: a row for {name} is missing")
                failed = True
            elif options.write:
                spent = seconds(options.compiler, source)
                page = page.replace(row.group(0), f"| {name} | {lines:,} | {spent:.2f} |")
            elif lines > int(row.group(1).replace(",", "")) * MARGIN:
                print(f"{PAGE.relative_to(ROOT)}: {name} has {lines:,} preprocessed lines, accepted are"
                      f" {row.group(1)}")
                failed = True
            print(f"{lines:8,}  {name}")
    if options.write:
        PAGE.write_text(page, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
