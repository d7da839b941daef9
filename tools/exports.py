#!/usr/bin/env python3
"""What the shared libraries need not export, because no program can refer to it.

Usage: exports.py --check [ROOT]       whether cmake/weft_hidden.txt has only what programs cannot refer to
       exports.py --unneeded LIBRARY   what a shared library exports and could hide, as lines for that file
       exports.py --weak LIBRARY       the copies of inline functions that it exports of classes no header defines

Programs refer to what the headers in include/weft/ declare. They cannot refer to
- a class that no header defines, written `weft::Class::Nested::*`: its members, its table of virtual functions;
- a private member, or a member of a class of weft::detail that is no base of another class, if it is not virtual and
  no header calls it: its name occurs in the headers only where it is declared.
"""

import collections
import functools
import pathlib
import re
import subprocess
import sys

import cpp_definitions
import sources

LIST = "cmake/weft_hidden.txt"
# A member function or variable, a table of virtual functions, its thunks, and the objects of a type.
MANGLED = re.compile(r"^_Z(?P<table>T[ISV])?(?:Th[n\d]+_|Tv[n\d]+_[n\d]+_)?N[KRO]*(?P<names>(?:\d+\w+)+)$")
NAMESPACES = ("detail", "bridge", "testing", "fs")
SKIPPED = {"using", "typedef", "friend"}


def names_of(mangled):
    """The names in a mangled name, and what follows them; None if it has none, or arguments of a template before."""
    found = MANGLED.match(mangled)
    if not found:
        return None
    rest, names = found["names"], []
    while rest and rest[0].isdigit():
        length = re.match(r"\d+", rest)[0]
        names.append(rest[len(length):len(length) + int(length)])
        rest = rest[len(length) + int(length):]
    return names, rest, found["table"]


def classes_around(names, rest, table):
    """The classes that a symbol belongs to, the outermost first."""
    of_class = names if table or rest[:1] in ("C", "D") else names[:-1]
    for end in range(2, len(of_class) + 1):
        if end > 2 or of_class[1] not in NAMESPACES:
            yield "::".join(of_class[:end])


class Headers:
    """The classes and member functions that the headers declare, and how often each name occurs in them."""

    def __init__(self, root):
        self.classes = set()                           # those that are defined, with their namespaces
        self.bases = set()                             # the names behind the colon of a class
        self.members = collections.defaultdict(list)   # whether each declaration is private, and whether virtual
        self.occurrences = collections.Counter()
        folder = root / "include" / "weft"
        for path in sorted([*folder.rglob("*.hpp"), *folder.rglob("*.h")]):
            code = cpp_definitions.tokens(path.read_text(encoding="utf-8"))
            self.occurrences.update(token.text for token in code if token.kind == "name")
            self.read(code)

    def read(self, code):
        scopes, head, at = [], [], 0  # a scope is its name, and for a class the access at this place, else None
        while at < len(code):
            text = code[at].text
            if code[at].kind not in ("sign", "name"):
                text = '""'
            if text in ("public", "private", "protected") and code[at + 1].text == ":":
                scopes[-1][1] = text
                head, at = [], at + 2
            elif text == ";":
                self.declare(scopes, head)
                head, at = [], at + 1
            elif text == "{":
                scope = self.opened(scopes, head)
                if scope:
                    scopes.append(scope)
                    head, at = [], at + 1
                else:
                    self.declare(scopes, head)
                    head, at = [], cpp_definitions.skip_group(code, at)
            elif text == "}":
                scopes.pop()
                head, at = [], at + 1
            elif text in ("(", "[", "[["):
                at = cpp_definitions.skip_group(code, at)
                if text == "(":
                    head.append("()")
            elif text == "<" and head and (behind := cpp_definitions.skip_angles(code, at)):
                at = behind
            else:
                head.append(text)
                at += 1

    def opened(self, scopes, head):
        """The scope that begins after `head`, or None if it is a body or an initialiser."""
        if "namespace" in head:
            return ["::".join(word for word in head[head.index("namespace") + 1:] if word not in ("inline", "::")), None]
        if head[:1] == ["extern"]:
            return ["", None]
        kind = next((word for word in head if word in ("class", "struct", "union", "enum")), None)
        if kind is None or "()" in head or "=" in head:
            return None
        words = [word for word in head[head.index(kind) + 1:] if word not in ("final", "class", "struct", "::")]
        colon = words.index(":") if ":" in words else len(words)
        name = "::".join(words[:colon])
        self.bases.update(words[colon:])
        self.classes.add(self.path(scopes, name))
        return None if kind == "enum" else [name, "private" if kind == "class" else "public"]

    @staticmethod
    def path(scopes, name):
        return "::".join([scope[0] for scope in scopes if scope[0]] + [name])

    def declare(self, scopes, head):
        """Notes the member function that `head` declares, if it does."""
        if not scopes or scopes[-1][1] is None or SKIPPED & set(head):
            return
        for at, word in enumerate(head):
            if word == "()" and at > 0 and head[at - 1] not in cpp_definitions.NO_FUNCTION:
                is_virtual = bool({"virtual", "override", "final"} & set(head))
                self.members[self.path(scopes, head[at - 1])].append((scopes[-1][1] == "private", is_virtual))
                return

    def is_opaque(self, name):
        """Whether no header defines the class, although one defines the class or has the namespace around it."""
        return name not in self.classes

    def is_inside(self, name):
        """Whether no program can call the member function."""
        declared = self.members.get(name, [])
        around = name.rpartition("::")[0]
        of_detail = name.startswith("weft::detail::") and around.rpartition("::")[2] not in self.bases
        closed = of_detail or all(private for private, _ in declared)
        return (bool(declared) and around in self.classes and closed
                and not any(is_virtual for _, is_virtual in declared)
                and self.occurrences[name.rpartition("::")[2]] == len(declared))

    @functools.cache
    def unneeded(self, mangled):
        """The line of the list that hides the symbol, or nothing if programs may refer to it."""
        parsed = names_of(mangled)
        if not parsed or parsed[0][0] != "weft":
            return ""
        names, rest, table = parsed
        if rest[:1] == "I":
            return ""
        for name in classes_around(names, rest, table):
            if name.count("::") > 1 and self.is_opaque(name):
                return f"{name}::*"
        name = "::".join(names)
        return name if not table and rest[:1] not in ("C", "D") and self.is_inside(name) else ""


def read_list(root):
    lines = (root / LIST).read_text(encoding="utf-8").splitlines() if (root / LIST).exists() else []
    return [line for line in lines if line and not line.startswith("#")]


def check(root):
    """The complaints, one line each."""
    headers, listed = Headers(root), read_list(root)
    errors = [f"{LIST}: the lines are not sorted"] if listed != sorted(set(listed)) else []
    for name in listed:
        hidden = headers.is_opaque(name[:-3]) if name.endswith("::*") else headers.is_inside(name)
        if not hidden:
            errors.append(f"{LIST}: a program may refer to {name}, or there is no such name: remove the line")
    return errors


def exported(library):
    """The exported symbols: the name, its kind, and its version."""
    lines = subprocess.run(["nm", "--dynamic", "--defined-only", "--format=posix", str(library)], check=True, text=True,
                           capture_output=True).stdout.splitlines()
    for line in lines:
        symbol, kind = line.split(" ")[:2]
        name, _, version = symbol.partition("@")
        yield name, kind, version


def unneeded(root, library):
    headers = Headers(root)
    found = {headers.unneeded(name) for name, kind, version in exported(library)
             if kind not in "WwA" and not version.endswith("_PRIVATE")}
    return sorted(found - {""})


def weak_of_the_inside(root, library):
    """The weak symbols of classes that no header defines: no program has such a function itself."""
    headers = Headers(root)
    weak = [name for name, kind, _ in exported(library) if kind in "VvWw"]
    return sorted(name for name in weak for names in [names_of(name)] if names and names[0][0] == "weft"
                  and any(headers.is_opaque(around) for around in classes_around(*names)))


def main():
    lists = {"--unneeded": unneeded, "--weak": weak_of_the_inside}
    if sys.argv[1:2] and sys.argv[1] in lists:
        found = lists[sys.argv[1]](pathlib.Path(__file__).resolve().parent.parent, sys.argv[2])
        print("".join(f"{line}\n" for line in found), end="")
        return 0
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    root = pathlib.Path(arguments[0]).resolve() if arguments else pathlib.Path(__file__).resolve().parent.parent
    return sources.report(check(root))


if __name__ == "__main__":
    sys.exit(main())
