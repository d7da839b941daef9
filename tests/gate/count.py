#!/usr/bin/env python3
"""Counts the instructions of the hot paths, and fails when one has grown by more than 3 %.

Usage: count.py GATE [--write | --print]

callgrind counts the instructions of `gate PATH N` for two values of N. The difference, divided, is the
cost of one run of PATH, without the start and the end of the program. The counts do not depend on the
load of the machine. instructions.txt beside this file has the accepted counts, bridge_instructions.txt
those of `bridge_gate`; --write accepts the present ones, --print only prints "path count" lines.
"""

import pathlib
import re
import subprocess
import sys

GROWTH = 1.03
FEW, MANY = 1_000, 5_000


def instructions(gate, path, count):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", gate, path,
                          str(count)], capture_output=True, text=True, timeout=120)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or found is None:
        sys.exit(f"callgrind could not count {path}:\n{run.stderr}")
    return int(found.group(1))


def accepted(file):
    lines = (line.split() for line in file.read_text(encoding="utf-8").splitlines()
             if line and not line.startswith("#"))
    return {name: int(count) for name, count in lines}


def main():
    gate = sys.argv[1]
    of_bridge = "bridge_" if pathlib.Path(gate).stem == "bridge_gate" else ""
    file = pathlib.Path(__file__).with_name(f"{of_bridge}instructions.txt")
    known = accepted(file)
    now = {path: round((instructions(gate, path, MANY) - instructions(gate, path, FEW))
                       / (MANY - FEW)) for path in known}
    if "--print" in sys.argv:
        for path, count in now.items():
            print(path, count)
        return 0
    if "--write" in sys.argv:
        comments = [line for line in file.read_text(encoding="utf-8").splitlines()
                    if line.startswith("#")]
        rows = [f"{path} {count}" for path, count in now.items()]
        file.write_text("\n".join(comments + rows) + "\n", encoding="utf-8")
    grown = 0
    for path, count in now.items():
        too_many = count > known[path] * GROWTH
        grown += too_many
        print(f"{path}: {count} instructions, accepted are {known[path]}"
              f"{': grown by more than 3 %' if too_many else ''}")
    return 1 if grown and "--write" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
