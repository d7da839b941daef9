#!/usr/bin/env python3
"""Checks a built program: position independent, all relocations read-only, no executable stack.

Usage: check_hardening.py PROGRAM
"""

import subprocess
import sys

import sources


def readelf(option, program):
    return subprocess.run(["readelf", "--wide", option, program], check=True, capture_output=True,
                          text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def findings(program):
    header = readelf("--file-header", program)
    segments = readelf("--program-headers", program)
    dynamic = readelf("--dynamic", program)
    if "DYN (" not in header:
        yield "not position independent (-fPIE -pie)"
    if "GNU_RELRO" not in segments:
        yield "relocations stay writable (-Wl,-z,relro)"
    if "BIND_NOW" not in dynamic and " NOW" not in dynamic:
        yield "symbols are bound late (-Wl,-z,now)"
    stack = [line for line in segments.splitlines() if "GNU_STACK" in line]
    if not stack or any("E" in line.split()[-2] for line in stack):
        yield "the stack is executable (-Wl,-z,noexecstack)"
    if "RWE" in segments:
        yield "a segment is both writable and executable"


def main():
    return sources.report(f"{sys.argv[1]}: {finding}" for finding in findings(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
