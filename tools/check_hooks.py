#!/usr/bin/env python3
"""Checks that the tests of the bridge call each function that it replaces.

Usage: check_hooks.py

Names are those of `hook("name", replacement, ...)` in src/bridge. A name has a test if a test calls it
through foreign::, where tests/bridge/foreign/calls.cpp calls it by its name, or if another name with
the same replacement has one. UNTESTED has the others, and why.
"""

import pathlib
import re
import sys

UNTESTED = {
    "_longjmp": "ends a handler, as siglongjmp() does, which is tested",
    "longjmp": "the same",
    "__longjmp_chk": "the same",
}
HOOK = re.compile(r'hook\(\s*"(\w+)",\s*(.+?),\s*real\.\w+,\s*\w+\)', re.DOTALL)
FOREIGN = re.compile(r"\b(\w+)\([^;{}]*\)\s*\{\s*(?:return\s+)?::(\w+)\(")
CALLED = re.compile(r"(?<![\w:])(?:foreign)?::(\w+)\b|\b(\w+)\(")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    hooks = {}
    for file in sorted((root / "src/bridge").glob("*.cpp")):
        for name, replacement in HOOK.findall(file.read_text(encoding="utf-8")):
            hooks[name] = "".join(replacement.split())
    tests = root / "tests/bridge"
    calls = tests / "foreign/calls.cpp"
    called = set()
    for file in tests.rglob("*.cpp"):
        if file != calls:
            found = CALLED.findall(file.read_text(encoding="utf-8"))
            called |= {name for names in found for name in names if name}
    through = {real for mine, real in FOREIGN.findall(calls.read_text(encoding="utf-8"))
               if mine in called}
    tested = {name for name in hooks if name in through or name in called}
    replacements = {hooks[name] for name in tested}
    wrong = 0
    for name, replacement in sorted(hooks.items()):
        has_test = name in tested or replacement in replacements
        if has_test == (name in UNTESTED):
            wrong += 1
            print(f"tools/check_hooks.py: {name}() "
                  + ("has a test: take it out of UNTESTED" if has_test else
                     "is replaced by the bridge, and no test in tests/bridge calls it"))
    for name in sorted(UNTESTED.keys() - hooks.keys()):
        wrong += 1
        print(f"tools/check_hooks.py: UNTESTED has {name}(), which is not replaced")
    if not hooks:
        print("tools/check_hooks.py: src/bridge has no hook(...): has its form changed?")
    return 1 if wrong or not hooks else 0


if __name__ == "__main__":
    sys.exit(main())
