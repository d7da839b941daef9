#!/usr/bin/env python3
"""Runs the walks of docs/walk.md and compares the functions that are entered with the tables.

Usage: trace_walk.py [--all] [--build DIR] [WALK ...]

WALK is delay, send or spawn; without one, all are run. The tool builds the library and
tests/walk/walk.cpp in DIR (build/walk) with g++ -O0 -finstrument-functions, so that inlined functions
count as well, runs the walk and prints every function of the project in the order in which it is
first entered or resumed. A function that the table should name and does not has a "!" in front;
functions that the table names and that were not entered are listed at the end. Either makes the tool
fail.

A table need not name functions whose definition is one line, and what the section "What the tables
leave out" of docs/walk.md names in backticks: a function, or a file with all its functions. With --all
these are printed too, with a "-" in front.
"""

import argparse
import bisect
import functools
import pathlib
import re
import subprocess
import sys

import check_walk
from cpp_definitions import definitions, ends_with, without_arguments

ROOT = pathlib.Path(__file__).resolve().parent.parent
WALKS = ("delay", "send", "spawn")
LEFT_OUT = "What the tables leave out"
ASSEMBLY = "src/context/quick_switch.cpp"
FLAGS = "-O0 -g -finstrument-functions -finstrument-functions-exclude-file-list=/usr/,tests/walk"


def run(*command, **options):
    done = subprocess.run(command, text=True, capture_output=True, cwd=ROOT, **options)
    if done.returncode != 0:
        sys.exit(f"trace_walk: {' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(directory):
    run("cmake", "-S", ".", "-B", directory, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=g++",
        "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_FLAGS={FLAGS}", "-DWEFT_UNITY=ON",
        "-DWEFT_PLANTED=OFF", "-DWEFT_BUILD_EXAMPLES=OFF")
    run("cmake", "--build", directory, "--target", "walk")
    return pathlib.Path(directory) / "tests" / "walk" / "walk"


def plain_name(signature):
    """The qualified name in what addr2line prints: without result, parameters and arguments."""
    text = signature.replace("(anonymous namespace)::", "")
    text = re.sub(r"\{lambda\(.*?\)#\d+\}", "lambda", text)
    name, depth, at = "", 0, 0
    while at < len(text):
        operator = re.compile(r"operator(\(\)|->\*?|<=>|<<=?|>>=?|[<>]=?|[^\w\s(]+)").match(text, at)
        if operator and depth == 0:
            name += operator.group()
            at = operator.end()
            continue
        if text[at] == "<":
            depth += 1
        elif text[at] == ">":
            depth -= 1
        elif depth == 0:
            if text[at] == "(":
                break
            name += text[at]
        at += 1
    if re.search(r"operator \w", name):
        return name[name.rfind(" ", 0, name.index("operator ")) + 1:]
    return name.split()[-1] if name.split() else name


class Project:
    """What the files of the project define, looked up by the line of a function."""

    def __init__(self):
        self.known = {}

    def find(self, place, signature):
        """(file, definition) of a traced function; None if it is not of the project."""
        path, _, line = place.rpartition(":")
        found = re.search(r"(?:^|/)((?:include/weft|src)/.*)$", path)
        if not found or not (ROOT / found.group(1)).is_file():
            return None
        name = found.group(1)
        if name not in self.known:
            self.known[name] = definitions((ROOT / name).read_text(encoding="utf-8"))
        at = int(re.match(r"\d*", line).group() or 0)
        around = [d for d in self.known[name] if d.line <= at <= d.last]
        if around:
            return name, around[-1]
        plain = plain_name(signature)
        return next(((name, d) for d in self.known[name] if ends_with(d.name, plain)), None)


def number(address):
    """The first frame of a stack has no caller: its call site is printed as (nil)."""
    return int(address, 16) if address.startswith("0x") else 0


@functools.lru_cache(maxsize=None)
def symbols_of(program):
    """Addresses and names of the symbols of the program, in order."""
    return [(int(line.split()[0], 16), line.split()[2])
            for line in run("nm", "-n", program).splitlines() if len(line.split()) == 3]


def assembly_at(program, address):
    """(file, definition) if `address` lies in a function of the quick switch, which the debug
    information does not know."""
    symbols = symbols_of(program)
    name = symbols[max(bisect.bisect_right(symbols, (address, "~")) - 1, 0)][1]
    if not name.startswith("weft_quick_"):
        return None
    text = (ROOT / ASSEMBLY).read_text(encoding="utf-8")
    return next(((ASSEMBLY, d) for d in definitions(text) if d.name == name), None)


def entered(program, walk):
    """The functions of the project that `walk` enters or resumes, in order, each once."""
    pairs = [line.split() for line in run(program, walk).splitlines()]
    addresses = [address for call_site, function in pairs
                 # A call site is the address behind the call, which may be another line.
                 for address in (hex(max(number(call_site) - 1, 0)), function)]
    symbols = run("addr2line", "-f", "-C", "-e", program, input="\n".join(addresses)).splitlines()
    project, order = Project(), {}
    for address, signature, place in zip(addresses, symbols[::2], symbols[1::2]):
        assembly = assembly_at(program, number(address))
        found = assembly or project.find(place.split(" ")[0], signature)
        if found:
            order.setdefault((found[0], found[1].name), found[1])
    return order


def left_out(lines):
    """The names in backticks of the section that says what the tables leave out."""
    names, inside = set(), False
    for line in lines:
        heading = check_walk.HEADING.match(line)
        if heading:
            inside = heading.group(2) == LEFT_OUT
        elif inside:
            names.update(check_walk.CODE.findall(line))
    return names


def compare(walk, order, row_names, excused, show_all):
    """Prints the walk; the number of differences from its table."""
    print(f"== {walk}")
    wrong = 0
    for (path, name), definition in order.items():
        named = any(path == where and ends_with(name, function) for where, function in row_names)
        small = definition.last == definition.line
        spared = small or path in excused or any(ends_with(name, e) for e in excused if "/" not in e)
        if not named and spared and not show_all:
            continue
        mark = " " if named else "-" if spared else "!"
        wrong += mark == "!"
        print(f"{mark} {path:40} {check_walk.short(name)}")
    for where, function in row_names:
        if not any(where == path and ends_with(name, function) for path, name in order):
            wrong += 1
            print(f"! not entered: {where:40} {function}")
    return wrong


def main():
    parser = argparse.ArgumentParser(add_help=False, usage="trace_walk.py [--all] [--build DIR] [WALK ...]")
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--build", default="build/walk")
    parser.add_argument("walks", nargs="*", metavar="WALK")
    given = parser.parse_args()
    if given.help:
        print(__doc__.strip())
        return 0
    if unknown := set(given.walks) - set(WALKS):
        sys.exit(f"trace_walk: there is no walk {', '.join(sorted(unknown))}; there are {', '.join(WALKS)}")
    lines = (ROOT / check_walk.PAGE).read_text(encoding="utf-8").splitlines()
    program = build(given.build)
    wrong = 0
    for walk in given.walks or WALKS:
        names = [(row.where, without_arguments(function))
                 for section in check_walk.read_page(lines)[0] if walk in section.title
                 for row in section.rows for function in row.functions]
        wrong += compare(walk, entered(program, walk), names, left_out(lines), given.all)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
