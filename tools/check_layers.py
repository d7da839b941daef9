#!/usr/bin/env python3
"""Checks the includes of src/ and include/weft/ against tools/layers.txt.

Usage: check_layers.py [ROOT]
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LAYERS = "tools/layers.txt"

# Foreign headers that only some rooms (or files of them) may see.
FOREIGN = [
    (re.compile(r"uv\.h$|uv/"), "<uv.h>",
     ("reactor/", "signal/", "names/", "watch/", "io/", "process/", "threads/")),
    (re.compile(r"boost/context"), "Boost.Context", ("context/context.", "context/switch_fcontext.")),
    (re.compile(r"(dlfcn|elf|link)\.h$"), "<dlfcn.h> and ELF", ("bridge/",)),
]
FORBIDDEN_IN_PUBLIC = re.compile(r"(uv\.h$|uv/|boost/)")
ADAPTERS = "adapters"  # the room of public headers that are for users of Boost, and may include it


class Layers:
    """The two tables of layers.txt."""

    def __init__(self, path):
        self.rooms = {}    # room -> what it may include
        self.headers = {}  # public header -> room
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


def check(root):
    """The complaints, one line each."""
    layers = Layers(root / LAYERS)
    errors = list(layers.errors)
    if errors:
        return errors
    for path in code_files(root / "src"):
        room = path.relative_to(root / "src").parts[0]
        if room not in layers.rooms:
            errors.append(f"{path.relative_to(root)}:1: room {room} has no line in {LAYERS}")
        else:
            errors += check_file(root, path, room, layers)
    for path in code_files(root / "include" / "weft"):
        name = path.relative_to(root / "include").as_posix()
        if name not in layers.headers:
            errors.append(f"include/{name}:1: {name} has no line in {LAYERS}")
        else:
            errors += check_file(root, path, layers.headers[name], layers)
    for name in layers.headers:
        if not (root / "include" / name).exists():
            errors.append(f"{LAYERS}: {name} does not exist; take its line away")
    return errors


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    if root.is_file():
        root = root.parent.parent
    errors = check(root)
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
