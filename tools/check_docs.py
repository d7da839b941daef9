#!/usr/bin/env python3
"""Checks that the documentation says what the files say.

Usage: check_docs.py [ROOT]

In README.md, examples/README.md, php/README.md, src/*/README.md and docs/**/*.md:
- a ```cpp, ```c, ```go or ```php block follows a line `<!-- from PATH -->` and is a contiguous part of that file, where it
  may be indented further;
- such a block of the guide is from examples/*.cpp, so that it runs in the hostile matrix, from examples/*.c or
  from examples/coming_from/;
- a block after `<!-- printed by PATH -->` is a part of the `// Prints:` comment of that example, one after
  `<!-- reported by PATH -->` of its `// Reports:` comment; tools/run_example.py compares these with the program;
- a relative link leads to a file;
- a path of the repository in backticks exists; in the README.md of a room also the name of a file, which is
  of that room, or a header as it is included;
- a report's "spawned at FILE:LINE" names a line that spawns, "suspended at FILE:LINE" one that
  waits.
README.md has less than 200 lines. examples/README.md lists every example. The words of docs/glossary.md are sorted, each stands there once, and a
class that it names exists.
"""

import re
import sys

import sources

EXAMPLE = re.compile(r"^examples/(?:\w+\.(?:cpp|c)|bridge/\w+\.cpp|coming_from/\w+\.(?:cpp|go))$")
CODE = {"cpp", "c", "go", "php"}
SOURCE = re.compile(r"^<!-- (from|printed by|reported by) (\S+) -->$")
COMMENTS = {"printed by": "// Prints:\n", "reported by": "// Reports:\n"}
README_LINES = 200
FENCE = re.compile(r"^(\s*)```(\w*)\s*$")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FILE_NAME = re.compile(r"`([\w./-]+\.(?:cpp|hpp|h|md|py|txt))`")
CODE_PATH = re.compile(r"`((?:include|src|tests|bench|examples|docs|tools|cmake)/[\w./-]+)`")
PLACE = re.compile(r"(spawned|suspended) at ([\w./-]+):(\d+)")
WORD = re.compile(r"^\| \*\*(.+?)\*\* \| (.*) \|$")
CLASS_NAME = re.compile(r"`(?:\w+::)?([A-Z][a-z]\w*)(?:<T>)?`")
CLASS = re.compile(r"\b(?:class|struct|concept|enum(?: class)?|using) (\w+)")
VERBS = {"spawned": re.compile(r"\bspawn\("),
         "suspended": re.compile(r"\b(?:await|suspend|delay)\w*\(")}


def documents(root):
    return [path for path in [root / "README.md", root / "examples" / "README.md",
                              root / "php" / "README.md",
                              *sorted((root / "src").glob("*/README.md")),
                              *sorted((root / "docs").rglob("*.md"))]
            if path.exists()]


def is_part(block, lines):
    """Whether `block` is in `lines`, where all of it may be indented by the same amount."""
    filled = [i for i, line in enumerate(block) if line.strip()]
    if not filled:
        return True
    first = filled[0]
    for at in range(len(lines) - len(block) + 1):
        there = lines[at + first]
        indent = there[:len(there) - len(there.lstrip())][:len(there) - len(block[first])]
        if all(lines[at + i].rstrip() == (indent + line.rstrip() if line.strip() else "")
               for i, line in enumerate(block)):
            return True
    return False


def blocks(lines):
    """The fenced blocks: number of the first line, language, text, and the line before."""
    opened = None
    for number, line in enumerate(lines):
        fence = FENCE.match(line)
        if not fence:
            continue
        if opened is None:
            opened = number, fence.group(2)
        elif not fence.group(2):
            start, language = opened
            yield start + 2, language, lines[start + 1:number], lines[start - 1] if start else ""
            opened = None


def check_blocks(root, at, lines):
    for number, language, block, before in blocks(lines):
        source = SOURCE.match(before.strip())
        if not source:
            if language in CODE:
                yield f"{at}:{number - 1}: write `<!-- from PATH -->` on the line before this code"
            continue
        kind, name = source.groups()
        if language in CODE and at.parts[:2] == ("docs", "guide") and not EXAMPLE.match(name):
            yield f"{at}:{number - 2}: code of the guide is from examples/, not {name}"
        path = root / name
        if not path.is_file():
            yield f"{at}:{number - 2}: {name} does not exist"
            continue
        text = path.read_text(encoding="utf-8")
        if kind in COMMENTS:
            text = text.partition(COMMENTS[kind])[2].replace("//   ", "")
        if not is_part(block, text.splitlines()):
            yield f"{at}:{number}: this is not (any more) a part of {name}"


def check_lines(root, document, at, lines):
    in_block = False
    for number, line in enumerate(lines, start=1):
        in_block ^= FENCE.match(line) is not None
        for target in [] if in_block else LINK.findall(line):
            if "://" not in target and not (document.parent / target).exists():
                yield f"{at}:{number}: the link {target} leads nowhere"
        for name in [] if in_block else CODE_PATH.findall(line):
            if not (root / name).exists():
                yield f"{at}:{number}: {name} does not exist"
        for name in FILE_NAME.findall(line) if at.parts[0] == "src" and not in_block else []:
            places = [document.parent, root / "src", root / "include", root]
            if not CODE_PATH.match(f"`{name}`") and not any((place / name).exists() for place in places):
                yield f"{at}:{number}: {name} does not exist"
        for verb, name, place in PLACE.findall(line):
            path = root / name
            source = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
            if not (0 < int(place) <= len(source) and VERBS[verb].search(source[int(place) - 1])):
                yield f"{at}:{number}: nothing is {verb} at {name}:{place}"


def check_list(root):
    listing = root / "examples" / "README.md"
    listed = LINK.findall(listing.read_text(encoding="utf-8")) if listing.exists() else []
    examples = root / "examples"
    for example in sorted([*examples.glob("*.cpp"), *examples.glob("*.c"),
                           *examples.glob("coming_from/*.cpp"), *examples.glob("coming_from/*.go")]):
        name = example.relative_to(examples).as_posix()
        if name not in listed:
            yield f"examples/README.md: {name} is missing"


def classes(root):
    return {name for folder in ("include", "src", "php/src") for path in (root / folder).rglob("*.[ch]pp")
            for name in CLASS.findall(path.read_text(encoding="utf-8"))}


def check_glossary(root):
    page = root / "docs" / "glossary.md"
    before, known = "", None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines() if page.exists() else [], start=1):
        row = WORD.match(line)
        if not row:
            continue
        word = row.group(1).lower()
        if word == before:
            yield f"docs/glossary.md:{number}: `{row.group(1)}` is here twice"
        elif word < before:
            yield f"docs/glossary.md:{number}: `{row.group(1)}` belongs before `{before}`"
        before = word
        for name in CLASS_NAME.findall(row.group(2)):
            known = known or classes(root)
            if name not in known:
                yield f"docs/glossary.md:{number}: there is no class {name}"


def check_length(root):
    readme = root / "README.md"
    lines = len(readme.read_text(encoding="utf-8").splitlines()) if readme.exists() else 0
    if lines >= README_LINES:
        yield f"README.md: {lines} lines; it is read at one go, so at most {README_LINES - 1}"


def check(root):
    """The complaints, one line each."""
    errors = [*check_length(root)]
    for document in documents(root):
        lines = document.read_text(encoding="utf-8").splitlines()
        at = document.relative_to(root)
        errors += check_blocks(root, at, lines)
        errors += check_lines(root, document, at, lines)
    errors += check_list(root)
    errors += check_glossary(root)
    return errors


def main():
    return sources.report(check(sources.checked_root()))


if __name__ == "__main__":
    sys.exit(main())
