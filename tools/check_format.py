#!/usr/bin/env python3
"""Checks that every C++ file is as clang-format 14 writes it; --fix rewrites them."""

import re
import shutil
import subprocess
import sys

import sources


def main():
    tool = shutil.which("clang-format-14") or shutil.which("clang-format")
    if tool is None:
        print("check_format: clang-format is missing; run tools/setup", file=sys.stderr)
        return 1
    paths = [str(path) for path in sources.cpp_files()]
    if not paths:
        return 0
    if "--fix" in sys.argv[1:]:
        return subprocess.run([tool, "-i", *paths], cwd=sources.ROOT).returncode
    run = subprocess.run([tool, "--dry-run", *paths], cwd=sources.ROOT, capture_output=True,
                         text=True)
    found = re.findall(r"^(.+?:\d+):\d+: (?:warning|error): ", run.stderr, re.MULTILINE)
    for at in dict.fromkeys(found):
        print(f"{at}: not as clang-format writes it")
    if found:
        print("`make format` puts it right")
    elif run.returncode != 0:
        print(run.stderr)
    return 1 if found or run.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
