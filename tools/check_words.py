#!/usr/bin/env python3
"""Rules about words in files: macros, includes, shells, and paths of one machine.

Usage: check_words.py [ROOT]
"""

import pathlib
import re
import sys

import sources

# WEFT_ASSERT, WEFT_PROBE, WEFT_PLANTED; what base/sanitizer-like headers and the version define.
# C has no default arguments: functions of its header are macros that add the place of the call.
MACROS = {"WEFT_ASSERT", "WEFT_NO_PLACES", "WEFT_PROBE", "WEFT_PLANTED"}
MACRO_HEADERS = ("sanitizer.hpp", "version.hpp")

DEFINE = re.compile(r"^\s*#\s*define\s+(\w+)")
PARENT_INCLUDE = re.compile(r'^\s*#\s*include\s*["<][^">]*\.\./')
SHELL = re.compile(r"\b(?:std::system|popen)\s*\(|(?<![\w:.>])system\s*\(")
USING = re.compile(r"\busing\s+namespace\s+weft\b")
# Where somebody's checkout happens to lie; in pieces, or this file would find itself.
MACHINE_PATH = re.compile("(?<![\\w.}])/(?:" + "|".join(["work", "home", "root"]) + r")/\w")


def is_code(path):
    return path.suffix in sources.CPP


def complaints(path, text):
    for number, line in enumerate(text.splitlines(), start=1):
        at = f"{path}:{number}:"
        if MACHINE_PATH.search(line):
            yield f"{at} no absolute path of a machine"
        if USING.search(line) and (path.parts[0] in ("docs", "examples") or path.suffix == ".md"):
            yield f"{at} documentation never shows `using namespace weft`"
        if not is_code(path):
            continue
        define = DEFINE.match(line)
        if define and path.parts[0] in ("src", "include", "examples"):
            name = define.group(1)
            of_c = path.name == "weft.h" and name.startswith("weft_")
            if name not in MACROS and path.name not in MACRO_HEADERS and not of_c:
                yield f"{at} no macro but {', '.join(sorted(MACROS))} and those of sanitizer.hpp"
        if PARENT_INCLUDE.match(line):
            yield f'{at} include "room/x.hpp", never ../'
        if SHELL.search(line.split("//")[0]):
            yield f"{at} no system() and no popen(): a shell is an injection waiting to happen"


def main():
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else sources.ROOT
    found = []
    for path in sources.files(root):
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        found += complaints(path, text)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
