#!/usr/bin/env python3
"""Changes that users notice: one file each in changes/<kind>/, gathered into CHANGELOG.md by a release.

Usage: changes.py --check [ROOT]     says which files are not as changes/README.md wants them
       changes.py VERSION [ROOT]     prints the section of CHANGELOG.md for that version
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {"breaking": "Breaking", "added": "Added", "changed": "Changed", "fixed": "Fixed"}
LONGEST = 8
HEADING = re.compile(r"^## (\S+)(?: \(.*\))?$", re.MULTILINE)


def files(root):
    """The files of each kind, sorted by name."""
    return {kind: sorted((root / "changes" / kind).glob("*.md")) for kind in KINDS}


def check(root):
    """The complaints, one line each."""
    errors = []
    for path in sorted((root / "changes").rglob("*")):
        at = path.relative_to(root).as_posix()
        if path.is_dir() or at == "changes/README.md":
            continue
        if path.parent.name not in KINDS or path.suffix != ".md" or len(path.relative_to(root).parts) != 3:
            errors.append(f"{at}: a change is a file changes/<kind>/<slug>.md; kinds: {', '.join(KINDS)}")
            continue
        lines = path.read_text(encoding="utf-8").strip().splitlines()
        if not 0 < len(lines) <= LONGEST:
            errors.append(f"{at}: write one to {LONGEST} lines for users")
    return errors


def entry(text):
    """A change as one item of a list; a file that is a list gives its items. Links lead from CHANGELOG.md."""
    text = text.strip().replace("](../../", "](")
    if text.startswith("- "):
        return text
    return "- " + "\n  ".join(text.splitlines())


def entries_of(section):
    """The items below each heading of a section that is in CHANGELOG.md already."""
    found = {kind: "" for kind in KINDS}
    for kind, title in KINDS.items():
        part = re.search(rf"^### {title}\n\n(.*?)(?=^### |\Z)", section, re.MULTILINE | re.DOTALL)
        found[kind] = part.group(1).strip() if part else ""
    return found


def section(root, version, date="", before=""):
    """The text of the section of a version: what it begins with, the items already in it, and those of changes/."""
    present = entries_of(before)
    lines = [f"## {version} ({date})" if date else f"## {version}", ""]
    introduction = re.split(r"^### ", before, maxsplit=1, flags=re.MULTILINE)[0].strip()
    if introduction:
        lines += [introduction, ""]
    for kind, paths in files(root).items():
        items = [present[kind]] if present[kind] else []
        items += [entry(path.read_text(encoding="utf-8")) for path in paths]
        if items:
            lines += [f"### {KINDS[kind]}", "", *items, ""]
    return "\n".join(lines)


def with_waiting(root, text):
    """The text of CHANGELOG.md, with a section of what is not released yet."""
    if not any(files(root).values()):
        return text
    heads = list(HEADING.finditer(text))
    start = heads[0].start() if heads else len(text)
    return text[:start].rstrip() + "\n\n" + section(root, "Not released yet") + "\n" + text[start:]


def versions(text):
    return [found.group(1) for found in HEADING.finditer(text)]


def gather(root, version, date):
    """Moves the changes into CHANGELOG.md, into a section of `version` at its top; returns how many."""
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    heads = list(HEADING.finditer(text))
    start = heads[0].start() if heads else len(text)
    before, rest = "", text[start:]
    if heads and heads[0].group(1) == version:
        end = heads[1].start() if len(heads) > 1 else len(text)
        before, rest = text[heads[0].end():end], text[end:]
    head = text[:start].rstrip() + "\n\n"
    changelog.write_text(head + section(root, version, date, before) + ("\n" + rest if rest else ""),
                         encoding="utf-8")
    gathered = [path for paths in files(root).values() for path in paths]
    for path in gathered:
        path.unlink()
    return len(gathered)


def main():
    arguments = sys.argv[1:]
    root = pathlib.Path(arguments[1]).resolve() if len(arguments) > 1 else ROOT
    if not arguments or arguments[0].startswith("-") and arguments[0] != "--check":
        print(__doc__)
        return 2
    if arguments[0] == "--check":
        errors = check(root)
        print("".join(error + "\n" for error in errors), end="")
        return 1 if errors else 0
    print(section(root, arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
