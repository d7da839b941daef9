#!/usr/bin/env python3
"""Checks src/ and include/weft/ against tools/layers.txt.

Usage: check_layers.py [ROOT]

- An include must be of a room that the table allows.
- A class of another room that a file declares forward or befriends counts like an include of the header
  that defines it. Where the table cannot allow that, a line `FILE | Class Class` of it does.
- Each room of src/ has a README.md with a sentence "It may include ..." that names what the table names,
  and a folder in tests/.
"""

import pathlib
import re
import sys

import sources

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LAYERS = "tools/layers.txt"

# What stands at the beginning of a line is of a namespace; what is indented belongs to a class.
KIND = r"(?:class|struct|union|enum(?: class| struct)?)"
DEFINITION = re.compile(rf"{KIND} (\w+)(?!\w|::|<)[^;]*$")
NAMING = [
    re.compile(rf"(?:namespace \w+ \{{ )?{KIND} (\w+)(?: : [\w:]+)?;"),  # declared forward
    re.compile(rf"\s*friend (?:{KIND} )?(?:::)?(?:\w+::)*(\w+)(?:<[^>]*>)?;"),
    re.compile(r"(?!\s*friend\b).*\b(?:class|struct) (\w+) ?[*&]"),  # both in one: `class X* x`
]

# Foreign headers that only some rooms (or files of them) may see.
FOREIGN = [
    (re.compile(r"uv\.h$|uv/"), "<uv.h>",
     ("reactor/", "signal/", "names/", "watch/", "io/", "process/", "bridge/worker.")),
    (re.compile(r"boost/context"), "Boost.Context", ("context/context.", "context/switch_fcontext.")),
    (re.compile(r"(dlfcn|elf|link)\.h$"), "<dlfcn.h> and ELF", ("bridge/",)),
]
FORBIDDEN_IN_PUBLIC = re.compile(r"(uv\.h$|uv/|boost/)")
ADAPTERS = "adapters"  # the room of public headers that are for users of Boost, and may include it


class Layers:
    """The tables of layers.txt."""

    def __init__(self, path):
        self.rooms = {}    # room -> what it may include
        self.headers = {}  # public header -> room
        self.names = {}    # file -> classes of other rooms that it may name nevertheless
        self.errors = []
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            line = line.split("#")[0]
            if not line.strip():
                continue
            name, bar, rest = (part.strip() for part in line.partition("|"))
            if not bar:
                self.errors.append(f"{LAYERS}:{number}: want `name | words`")
            elif name.startswith("weft/"):
                self.headers[name] = rest
            elif "/" in name:
                self.names[name] = set(rest.split())
            else:
                self.rooms[name] = set(rest.split())
        for header, room in self.headers.items():
            if room not in self.rooms and room != "all":
                self.errors.append(f"{LAYERS}: {header} is of room {room}, which has no line")

    def allows(self, room, other, header):
        """May a file of `room` include `header`, which is of room `other`?"""
        if room in (other, "all"):
            return True
        words = self.rooms[room]
        if other == "all":  # weft.hpp itself
            return "all" in words
        return "all" in words or other in words or f"{other}/{pathlib.Path(header).stem}" in words


def includes(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == "<", match.group(2)


def check_file(root, path, room, layers):
    relative = path.relative_to(root)
    public = relative.parts[0] == "include"
    for number, angled, header in includes(path):
        at = f"{relative}:{number}:"
        if public and room != ADAPTERS and FORBIDDEN_IN_PUBLIC.match(header):
            yield f"{at} a public header may not include {header}"
            continue
        for pattern, what, places in FOREIGN:
            inside = relative.as_posix().removeprefix("src/")
            if pattern.match(header) and not inside.startswith(places):
                yield f"{at} {what} may appear in {', '.join(places)} only"
        if header.startswith("weft/"):
            other = layers.headers.get(header)
            if other is None:
                yield f"{at} {header} has no line in {LAYERS}"
            elif not layers.allows(room, other, header):
                yield f"{at} room {room} may not include room {other} ({LAYERS})"
            continue
        if angled:
            continue
        other = header.split("/")[0]
        if public:
            yield f"{at} a public header may include public headers only, as \"weft/x.hpp\""
        elif "/" not in header or other not in layers.rooms:
            yield f"{at} write \"room/x.hpp\" or \"weft/x.hpp\", with a room of {LAYERS}"
        elif not layers.allows(room, other, header):
            yield f"{at} room {room} may not include room {other} ({LAYERS})"


def code_files(directory):
    return sorted(path for path in directory.rglob("*") if path.suffix in (".hpp", ".h", ".cpp"))


def code_lines(path):
    """The lines with their numbers, without comments and unnamed namespaces."""
    unnamed = False
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
        unnamed = line == "namespace {" or (unnamed and line != "}  // namespace")
        if not unnamed:
            yield number, re.sub(r"\s*//.*", "", line)


def definitions(root, layers):
    """Class -> the rooms and headers that define it. A source counts if no header does."""
    found = {".hpp": {}, ".cpp": {}}
    for path in code_files(root / "include" / "weft") + code_files(root / "src"):
        for _, line in code_lines(path):
            match = DEFINITION.match(line)
            if match:
                place = room_of(root, path, layers), path.relative_to(root).as_posix()
                found[".cpp" if path.suffix == ".cpp" else ".hpp"].setdefault(match.group(1), set()).add(place)
    return found[".cpp"] | found[".hpp"]


def room_of(root, path, layers):
    if path.is_relative_to(root / "src"):
        return path.relative_to(root / "src").parts[0]
    return layers.headers.get(path.relative_to(root / "include").as_posix())


def check_names(root, path, room, layers, defined):
    """Classes of other rooms that are declared forward or befriended."""
    relative = path.relative_to(root).as_posix()
    allowed = layers.names.get(relative, set())
    needed = set()
    for number, line in code_lines(path):
        for name in {match.group(1) for match in (naming.match(line) for naming in NAMING) if match}:
            places = defined.get(name, set())
            if not places or any(place == relative or layers.allows(room, other, place)
                                 for other, place in places):
                continue
            needed.add(name)
            if name not in allowed:
                other, place = min(places)
                yield (f"{relative}:{number}: room {room} may not name {name} of room {other},"
                       f" which {place} defines ({LAYERS})")
    for name in sorted(allowed - needed):
        yield f"{LAYERS}: {relative} need not be allowed to name {name}"


def check_folder(root, folder, words):
    """The README of a room, and its tests."""
    readme = folder / "README.md"
    at = readme.relative_to(root)
    if not readme.exists():
        yield f"{at}: is missing: what lives here, what it may include, where to start reading"
        return
    sentence = re.search(r"It may include ([^.]*)\.", readme.read_text(encoding="utf-8"))
    said = set(re.findall(r"`([\w/]+)`", sentence.group(1))) if sentence else set()
    if "all" in words:
        said = words if sentence and "every room" in sentence.group(1) else said
    if not sentence or said != words:
        wanted = ", ".join(f"`{word}`" for word in sorted(words)) or "nothing"
        yield f'{at}: write "It may include {wanted}.", as {LAYERS} says, in any order'
    if not (root / "tests" / folder.name).is_dir():
        yield f"{at}: tests/{folder.name}/ is missing: the tests mirror src/"


def check(root):
    """The complaints, one line each."""
    layers = Layers(root / LAYERS)
    errors = list(layers.errors)
    if errors:
        return errors
    defined = definitions(root, layers)
    for path in code_files(root / "src"):
        room = room_of(root, path, layers)
        if room not in layers.rooms:
            errors.append(f"{path.relative_to(root)}:1: room {room} has no line in {LAYERS}")
        else:
            errors += check_file(root, path, room, layers)
            errors += check_names(root, path, room, layers, defined)
    for path in code_files(root / "include" / "weft"):
        name = path.relative_to(root / "include").as_posix()
        if name not in layers.headers:
            errors.append(f"include/{name}:1: {name} has no line in {LAYERS}")
        else:
            errors += check_file(root, path, layers.headers[name], layers)
            errors += check_names(root, path, layers.headers[name], layers, defined)
    for name in layers.headers:
        if not (root / "include" / name).exists():
            errors.append(f"{LAYERS}: {name} does not exist; take its line away")
    for name in layers.names:
        if not (root / name).exists():
            errors.append(f"{LAYERS}: {name} does not exist; take its line away")
    for folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        if folder.name in layers.rooms:
            errors += check_folder(root, folder, layers.rooms[folder.name])
    return errors


def main():
    return sources.report(check(sources.checked_root()))


if __name__ == "__main__":
    sys.exit(main())
