#!/usr/bin/env python3
"""Runs a command with the addresses of the servers that `tools/services up` has started.

Usage: with_services.py COMMAND...

Without servers the exit code is 77, with which ctest counts the test as skipped; with
WEFT_NEEDS_SERVICES in the environment it is 1.
"""

import os
import pathlib
import re
import sys


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    home = pathlib.Path(os.environ.get("WEFT_SERVICES", root / "build" / "services"))
    try:
        text = (home / "environment").read_text(encoding="utf-8")
    except OSError:
        print("no servers: tools/services up")
        return 1 if "WEFT_NEEDS_SERVICES" in os.environ else 77
    for name, value in re.findall(r"^export (\w+)='?([^'\n]*)'?$", text, re.MULTILINE):
        os.environ[name] = value
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
