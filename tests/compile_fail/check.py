#!/usr/bin/env python3
"""Compiles a program with a mistake and looks at what the compiler says of it.

Usage: check.py INCLUDE COMPILER FILE

The first line of FILE is `// Says: SENTENCE`. The first error must have that sentence, and all that
the compiler says must be at most MOST lines.
"""

import pathlib
import re
import subprocess
import sys

MOST = 15
SAYS = re.compile(r"^// Says: (.+)$")


def complaint(include, compiler, file):
    said = SAYS.match(pathlib.Path(file).read_text(encoding="utf-8").splitlines()[0])
    if not said:
        return f"{file}:1: the first line is `// Says: SENTENCE`"
    sentence = said.group(1)
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", include, file],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 0:
        return f"{file}: {compiler} found no mistake"
    lines = done.stdout.splitlines()
    first = next((line for line in lines if "error:" in line), "")
    if sentence not in first:
        return f"{file}: {compiler} does not say first: {sentence}\n{done.stdout}"
    if len(lines) > MOST:
        return f"{file}: {compiler} says {len(lines)} lines, and may say {MOST}\n{done.stdout}"
    return None


def main():
    found = complaint(*sys.argv[1:])
    if found:
        sys.exit(found)


main()
