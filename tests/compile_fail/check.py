#!/usr/bin/env python3
"""Compiles a program with a mistake and checks the errors of the compiler.

Usage: check.py INCLUDE COMPILER DIRECTORY [FILE]

The first line of FILE is `// Says: SENTENCE`. The first error must have that sentence, and all that
the compiler says must be at most MOST lines. Without FILE: compiles the headers, once for all files,
into DIRECTORY.
"""

import pathlib
import re
import subprocess
import sys

MOST = 15
SAYS = re.compile(r"^// Says: (.+)$")


def compile_headers(command, header):
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text("#include <weft/weft.hpp>\n", encoding="utf-8")
    subprocess.run([*command, "-x", "c++-header", header, "-o", f"{header}.gch"], check=True)


def complaint(command, header, file):
    said = SAYS.match(pathlib.Path(file).read_text(encoding="utf-8").splitlines()[0])
    if not said:
        return f"{file}:1: the first line is `// Says: SENTENCE`"
    sentence = said.group(1)
    done = subprocess.run([*command, "-fsyntax-only", "-include", header, file],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 0:
        return f"{file}: {command[0]} found no mistake"
    lines = done.stdout.splitlines()
    first = next((line for line in lines if "error:" in line), "")
    if sentence not in first:
        return f"{file}: {command[0]} does not say first: {sentence}\n{done.stdout}"
    if len(lines) > MOST:
        return f"{file}: {command[0]} says {len(lines)} lines, and may say {MOST}\n{done.stdout}"
    return None


def main():
    include, compiler, directory, *files = sys.argv[1:]
    command = [compiler, "-std=c++20", "-I", include]
    header = pathlib.Path(directory) / "all.hpp"
    if not files:
        compile_headers(command, header)
    found = [text for text in (complaint(command, header, file) for file in files) if text]
    if found:
        sys.exit("\n".join(found))


main()
