#!/usr/bin/env python3
"""Checks the walks of docs/walk.md against the sources, and counts their files. In
docs/performance.md it checks that the named functions are where the page says. On both pages every
`Class::function` must exist.

Usage: check_walk.py [--write] [--list FILE] [ROOT]

A walk is a section of docs/walk.md that has a line of limits and a table:

    ## A delay
    Files: 9 of at most 9; changes: 14 of at most 14

    | step | where | function | what happens |
    | --- | --- | --- | --- |
    | 1 call | `src/wait/delay.cpp` | `delay` | a timer is prepared |

- Each row names one file, and at least one function of that file, in backticks. The file must define
  the function: a call or a declaration is not enough.
- A member is written with its class, `Class::function`, a constructor as `Class::Class`, a template
  without its arguments; namespaces may be left out. A label of a top-level asm block counts as a
  free function. Words outside of backticks are not checked.
- "Files" counts the distinct files of the walk, "changes" how often a row has another file than the row
  before. The numbers in the text must be the counted ones and must not exceed the limits.

In docs/performance.md a line "- **Where**: `FILE` `function`, `function`; `FILE` `function`" is
checked in the same way: each function must be defined in the file named before it.

Elsewhere on both pages a `Class::function` in backticks, outside of code blocks, must be defined by
some file of include/ or src/, or be an enumerator. Names of other libraries (std, asio) are not
checked.

Options:
  --write      put the counted numbers into docs/walk.md; the limits stay
  --list FILE  print what FILE defines, as the check sees it: line, last line, name
"""

import argparse
import collections
import pathlib
import re
import sys

import sources

from cpp_definitions import definitions, ends_with, without_arguments

PAGE = pathlib.Path("docs") / "walk.md"
PLACES = pathlib.Path("docs") / "performance.md"
COLUMNS = ["step", "where", "function", "what happens"]

HEADING = re.compile(r"^(#+)\s+(.*?)\s*$")
LIMITS = re.compile(r"^Files: (\d+) of at most (\d+); changes: (\d+) of at most (\d+)$")
CODE = re.compile(r"`([^`]+)`")
WHERE = "- **Where**:"
FOREIGN = ("std::", "asio::")
MEMBER = re.compile(r"(?:\w+::)+(?:~?\w+|operator\S+)")
ENUM = re.compile(r"\benum(?:\s+(?:class|struct))?\s+(\w+)[^;{]*\{([^}]*)\}")

Row = collections.namedtuple("Row", "line step where functions")


class Walk:
    def __init__(self, line, title):
        self.line = line
        self.title = title
        self.limits = None  # line, and the four numbers
        self.rows = []

    def files(self):
        return len({row.where for row in self.rows})

    def changes(self):
        return sum(a.where != b.where for a, b in zip(self.rows, self.rows[1:]))


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def read_page(lines):
    """The walks of the page, and complaints about its form."""
    walks, errors = [], []
    walk = Walk(1, "the beginning of the page")
    in_table = fenced = False
    for number, line in enumerate([*lines, "# end"], start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced:
            continue
        at = f"{PAGE}:{number}:"
        heading = HEADING.match(line)
        if heading:
            if walk.rows or walk.limits:
                walks.append(walk)
            walk = Walk(number, heading.group(2))
            in_table = False
        elif line.startswith("Files:"):
            limits = LIMITS.match(line.strip())
            if not limits:
                errors.append(f"{at} write the limits as "
                              '"Files: N of at most N; changes: N of at most N"')
            elif walk.limits:
                errors.append(f'{at} "{walk.title}" has its limits already in line {walk.limits[0]}')
            else:
                walk.limits = (number, *map(int, limits.groups()))
        elif not line.strip().startswith("|"):
            in_table = False
        elif not in_table:
            names = cells(line)
            in_table = [name.split(" (")[0] for name in names] == COLUMNS
            if not in_table and names[:1] == ["step"]:
                errors.append(f"{at} the columns of a walk are: {' | '.join(COLUMNS)}")
            elif in_table and walk.rows:
                errors.append(f'{at} "{walk.title}" has a table already: a walk is one table')
        elif not re.fullmatch(r"[\s|:-]+", line):
            row, complaint = read_row(number, cells(line))
            if complaint:
                errors.append(f"{at} {complaint}")
            else:
                walk.rows.append(row)
    return walks, errors


def read_row(number, columns):
    if len(columns) != len(COLUMNS):
        return None, f"a row of a walk has {len(COLUMNS)} cells, this one has {len(columns)}"
    step, where, function, _ = columns
    files = CODE.findall(where)
    if len(files) != 1:
        return None, f"step {step}: name one file in backticks in the column `where`"
    functions = CODE.findall(function)
    if not functions:
        return None, f"step {step}: name a function in backticks in the column `function`"
    return Row(number, step, files[0], functions), None


def check_place(root, at, where, functions, known):
    """Complaints, each beginning with `at`, about functions that the file `where` does not define."""
    path = root / where
    if not path.is_file():
        yield f"{at} the file {where} does not exist"
        return
    if where not in known:
        try:
            known[where] = definitions(path.read_text(encoding="utf-8"))
        except ValueError as error:
            known[where] = None
            yield f"{at} {where} cannot be read: {error}"
    if known[where] is None:
        return
    for function in functions:
        yield from (f"{at} {text}" for text in check_function(root, where, function, known))


def check_places(root, known):
    """Complaints about the lines of docs/performance.md that say where something is."""
    page = root / PLACES
    lines = page.read_text(encoding="utf-8").splitlines() if page.is_file() else []
    for number, line in enumerate(lines, start=1):
        if not line.startswith(WHERE):
            continue
        at = f"{PLACES}:{number}:"
        where = None
        for name in CODE.findall(line):
            if "/" in name and "operator" not in name:
                where = name
                yield from check_place(root, at, where, [], known)
            elif where is None:
                yield f"{at} name a file in backticks before `{name}`"
            elif (root / where).is_file():
                yield from check_place(root, at, where, [name], known)


def all_names(root, known):
    """What the files of include/ and src/ define: functions and enumerators, each also without its
    outer scopes."""
    names = set()
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*.?pp")):
            where = path.relative_to(root).as_posix()
            text = path.read_text(encoding="utf-8")
            if where not in known:
                try:
                    known[where] = definitions(text)
                except ValueError:  # a complaint when a page names the file
                    known[where] = None
            for found in known[where] or ():
                scopes = found.name.replace(" ", "").split("::")
                names.update("::".join(scopes[at:]) for at in range(len(scopes)))
            for name, body in ENUM.findall(re.sub(r"//[^\n]*", "", text)):
                names.update(f"{name}::{part.split('=')[0].strip()}" for part in body.split(","))
    return names


def prose(lines, rows):
    """The lines outside of code blocks, with their numbers, without what is checked against a file."""
    fenced = False
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif number in rows:
            yield number, cells(line)[-1]
        elif not fenced and not line.startswith(WHERE):
            yield number, line


def check_prose(page, lines, rows, names):
    """Complaints about each `Class::function` that no file defines."""
    for number, line in prose(lines, rows):
        for code in CODE.findall(line):
            name = without_arguments(code).replace(" ", "")
            if MEMBER.fullmatch(name) and not name.startswith(FOREIGN) and \
                    name.removeprefix("weft::") not in names:
                yield f"{page}:{number}: no file of include/ or src/ defines `{code}`"


def check_function(root, where, function, known):
    name = without_arguments(function)
    last = name.rsplit("::", 1)[-1]
    here = [found for found in known[where] if ends_with(found.name, name)]
    if "::" not in name:
        if any(not found.is_member for found in here):
            return
        for found in here[:1]:
            yield f"`{function}` is a member: write `{short(found.name)}`"
            return
    elif here:
        return
    others = [found for found in known[where] if found.name.rsplit("::", 1)[-1] == last]
    if others:
        yield f"{where} does not define `{function}`, but `{short(others[0].name)}`"
    elif re.search(rf"(?<![\w]){re.escape(last)}\b", (root / where).read_text(encoding="utf-8")):
        yield f"{where} mentions `{function}`, but does not define it{elsewhere(root, name)}"
    else:
        yield f"{where} knows no `{function}`{elsewhere(root, name)}"


def short(qualified):
    return qualified.removeprefix("weft::")


def elsewhere(root, name):
    """Where `name` is defined, for a complaint."""
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*.?pp")):
            try:
                if any(ends_with(found.name, name)
                       for found in definitions(path.read_text(encoding="utf-8"))):
                    return f"; {path.relative_to(root)} does"
            except ValueError:
                continue
    return ""


def check_limits(walk):
    at = f'{PAGE}:{walk.line}: "{walk.title}"'
    if not walk.limits:
        yield (f"{at} has no limits: write below the heading \"Files: {walk.files()} of at most "
               f"{walk.files()}; changes: {walk.changes()} of at most {walk.changes()}\"")
        return
    if not walk.rows:
        yield f"{at} has limits, but no table with the columns {' | '.join(COLUMNS)}"
        return
    line, files, most_files, changes, most_changes = walk.limits
    at = f'{PAGE}:{line}: "{walk.title}"'
    if (files, changes) != (walk.files(), walk.changes()):
        yield (f"{at} has {walk.files()} files and {walk.changes()} changes of file, the text says "
               f"{files} and {changes}; --write puts that right")
    if walk.files() > most_files:
        yield f"{at} has {walk.files()} files, at most {most_files} are allowed"
    if walk.changes() > most_changes:
        yield f"{at} has {walk.changes()} changes of file, at most {most_changes} are allowed"


def check(root):
    """The complaints, one line each."""
    page = root / PAGE
    if not page.is_file():
        return [f"{PAGE} does not exist"]
    walks, errors = read_page(page.read_text(encoding="utf-8").splitlines())
    if not walks and not errors:
        errors.append(f"{PAGE}: there is no walk: a heading, its limits and a table; see --help")
    known = {}
    for walk in walks:
        for row in walk.rows:
            at = f"{PAGE}:{row.line}: step {row.step}:"
            errors += check_place(root, at, row.where, row.functions, known)
        errors += check_limits(walk)
    errors += check_places(root, known)
    names = all_names(root, known)
    rows = {row.line for walk in walks for row in walk.rows}
    for name, without in ((PAGE, rows), (PLACES, set())):
        if (root / name).is_file():
            lines = (root / name).read_text(encoding="utf-8").splitlines()
            errors += check_prose(name, lines, without, names)
    return errors


def write_counts(root):
    """Puts the counted numbers into the page."""
    page = root / PAGE
    lines = page.read_text(encoding="utf-8").splitlines()
    for walk in read_page(lines)[0]:
        if walk.limits:
            line, _, most_files, _, most_changes = walk.limits
            lines[line - 1] = (f"Files: {walk.files()} of at most {most_files}; "
                               f"changes: {walk.changes()} of at most {most_changes}")
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        usage="check_walk.py [--write] [--list FILE] [ROOT]", add_help=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", metavar="FILE")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=sources.ROOT)
    given = parser.parse_args()
    if given.help:
        print(__doc__.strip())
        return 0
    if given.list:
        for found in definitions(pathlib.Path(given.list).read_text(encoding="utf-8")):
            print(f"{found.line}\t{found.last}\t{found.name}")
        return 0
    root = given.root.resolve()
    if given.write:
        write_counts(root)
    return sources.report(check(root))


if __name__ == "__main__":
    sys.exit(main())
