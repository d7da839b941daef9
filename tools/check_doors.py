#!/usr/bin/env python3
"""Checks the doors of include/weft/: what programs use, extend/, and detail/.

- Programs (examples/, tests/install/, the hosts tests/host/ and php/src/, the code of docs/guide/) include and name nothing of detail.
- Parameters and results of functions that users can call, variables and public data members, in public headers and
  those of extend/, name no type of `detail`, nor a class that they only declare and src/ defines, nor an alias that
  the header makes of one. In extend/ protected members count too, because programs derive from its classes. A deduced
  result is fine, and so are private members, base classes and constraints. WANTED lists the exceptions.
- No class of theirs derives publicly from one of `detail`, whose functions a reader of the header would not
  see: only those of BASES do, which declare again what programs call.
- What a header of detail/ defines is in namespace weft::detail.
- Each header of theirs includes weft/detail/abi.hpp first, which stops a compiler that cannot read the rest.
- weft.hpp includes the public headers after it, each once, and nothing else.
- docs/guide/headers.md has one line for each header of the first two doors.

Usage: check_doors.py [ROOT]
"""

import pathlib
import re
import sys

import cpp_definitions
import sources

HEADERS = pathlib.Path("include/weft")
PAGE = pathlib.Path("docs/guide/headers.md")
FIRST = "weft/detail/abi.hpp"
# For users of Boost and for tests, which need libraries of their own.
APART = {"asio.hpp", "bridge.hpp", "tls.hpp", "tls_context.hpp", "testing.hpp", "weft.hpp"}
PROGRAMS = ("examples/", "tests/install/", "tests/host/", "php/src/")
# Channel and FutureState declare again what programs call of their bases; the others show nothing of theirs.
BASES = {"Channel": "ChannelBase", "Timer": "Alarm", "FutureState": "FutureBase", "Iterator": "TakingIterator",
         "Core": "PoolCore"}

# What signatures of a header may name although users do not see what it is, and why.
WANTED = {
    ("coroutine.hpp", "Base"): "the coroutine under a handle: programs hand it on, and what they call of it is"
                               " CoroutineBase's",
    ("tls.hpp", "Native"): "an asio::ssl::stream, whose page is Boost's",
    ("extend/loop_event.hpp", "Reactor"): "only kinds of weft derive from LoopEvent, which its comment says",
    ("extend/signal_event.hpp", "Reactor"): "overrides what LoopEvent declares",
}

# What declares nothing that a program could call or read.
NO_SIGNATURE = {"friend", "using", "typedef", "concept", "static_assert", "namespace"}

ANY_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](weft/[^>"]+)[>"]', re.MULTILINE)
OF_DETAIL = re.compile(r"\bweft/detail/|\bdetail::")
ROW = re.compile(r"^\| \[`weft/([\w./]+)`\]\(([^)]+)\) \| \S.* \|$", re.MULTILINE)
DECLARED = re.compile(r"^(?:class|struct) (\w+);", re.MULTILINE)
DEFINED = re.compile(r"^(?:class|struct|enum(?: class)?) (\w+)\b(?!;)", re.MULTILINE)
ACCESS = {"public", "protected", "private"}
DERIVED = re.compile(r"^ *(?:class|struct) ([\w:<>]+)(?: final)?\s*:([^;{:]+(?:::[^;{:]+)*)\{", re.MULTILINE)


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def code_of_page(text):
    """The fenced blocks of a page, on their lines; all else is empty."""
    inside, lines = False, []
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
        lines.append(line if inside else "")
    return "\n".join(lines)


def check_program(path, text):
    for match in OF_DETAIL.finditer(text):
        yield (f"{path}:{line_of(text, match.start())}: programs use public headers and those of"
               f" extend/ only")


class Signatures(cpp_definitions.Reader):
    """Collects what users can call, read and override: the tokens of the parameters and results of functions, and of
    the types of variables and data members. Of aliases it collects the tokens of what they stand for."""

    def __init__(self, text, access=("public",)):
        super().__init__(text)
        self.access = access
        self.visible = True
        self.enclosing = True  # whether the class is visible that encloses what is read
        self.signatures = []
        self.aliases = {}  # name -> tokens

    def scope(self, at, outer, in_type):
        code = self.code
        while at < len(code) and code[at].text != "}":
            if in_type and code[at].text in ACCESS and code[at + 1].text == ":":
                self.visible = self.enclosing and code[at].text in self.access
                at += 2
            else:
                at = self.declaration(at, outer, in_type)
        return at + 1

    def body(self, start, at, outer, in_type):
        head = self.code[start:at]
        kind, name = cpp_definitions.scope_of(head) or (None, None)
        if kind == "namespace" and name in ("detail", "weft::detail"):
            return cpp_definitions.skip_group(self.code, at)
        if kind is None:
            self.look_at(head)
            return super().body(start, at, outer, in_type)
        before = self.visible, self.enclosing
        if kind == "type":
            self.enclosing = self.visible
            self.visible &= all(token.text != "class" for token in without_template(head))
        behind = super().body(start, at, outer, in_type)
        self.visible, self.enclosing = before
        return behind

    def defaulted(self, start, end, outer, in_type):
        self.look_at(self.code[start:end])

    def look_at(self, head):
        head = without_template(head)
        if len(head) > 3 and head[0].text == "using" and head[2].text == "=":
            self.aliases.setdefault(head[1].text, []).extend(head[3:])
        if not self.visible or not head or head[0].text in NO_SIGNATURE or is_name_alone(head):
            return
        function = cpp_definitions.function_head(head)
        if function is None:
            self.signatures.append(type_of_variable(head))
            return
        if len(function[0]) > 1:  # a member is seen where its class is
            return
        parameters = function[1]
        # A result may stand behind the parameters; so do the initialisers of a constructor, and
        # they are no part of the signature.
        trails = any(token.text == "->" for token in head[parameters:parameters + 3])
        self.signatures.append(head if trails else head[:parameters])


def is_name_alone(head):
    """Whether it declares a class and nothing of that class."""
    return head[0].text in cpp_definitions.TYPE_WORDS and all(
        token.kind == "name" or token.text in ("::", "<", ">", ":") for token in head)


def type_of_variable(head):
    """The tokens in front of the initialiser."""
    for at, token in enumerate(head):
        if token.text == "=":
            return head[:at]
    return head


def without_template(head):
    at = 0
    while at + 1 < len(head) and head[at].text == "template" and head[at + 1].text == "<":
        at = cpp_definitions.skip_angles(head, at + 1) or at + 2
        if at < len(head) and head[at].text == "requires":
            at = behind_constraint(head, at + 1)
    return head[at:]


def behind_constraint(head, at):
    """The index behind a requires-clause: concepts and parentheses, joined by && and ||."""
    while at < len(head):
        if head[at].text == "(":
            at = cpp_definitions.skip_group(head, at)
        else:
            while at + 1 < len(head) and head[at + 1].text == "::":
                at += 2
            at += 1
            if at < len(head) and head[at].text == "<":
                at = cpp_definitions.skip_angles(head, at) or at + 1
        if at >= len(head) or head[at].text not in ("&&", "||"):
            break
        at += 1
    return at


def internal_classes(texts):
    """Classes that the headers declare and src/ defines."""
    declared, defined = ({name for text in texts for name in pattern.findall(text)}
                         for pattern in (DECLARED, DEFINED))
    return declared - defined


def names_detail(words):
    return any(pair == ("detail", "::") for pair in zip(words, words[1:]))


def aliases_of_detail(aliases):
    """The names that stand for types of detail, perhaps by other names."""
    found = set()
    while True:
        more = {name for name, tokens in aliases.items() if name not in found
                and (words := [token.text for token in tokens])
                and (names_detail(words) or found.intersection(words))}
        if not more:
            return found
        found |= more


def check_signatures(header, text, internal):
    """Programs derive from the classes of extend/, and so see their protected members too."""
    path = HEADERS / header
    reader = Signatures(text, ("public", "protected") if header.startswith("extend/") else ("public",))
    reader.read()
    wanted = {name for file, name in WANTED if file == header}
    aliases = aliases_of_detail(reader.aliases)
    named = set()
    for signature in reader.signatures:
        words = [token.text for token in signature]
        named |= (internal | aliases).intersection(words)
        for name in sorted(internal.intersection(words) - wanted):
            yield (f"{path}:{signature[0].line}: a signature that users see names {name}, which no header"
                   f" defines")
        if names_detail(words):
            yield (f"{path}:{signature[0].line}: a signature that users see names a type of detail:"
                   f" deduce it, or give it a public name")
        for name in sorted(aliases.intersection(words) - wanted):
            yield (f"{path}:{signature[0].line}: a signature that users see names {name}, which stands for a type of"
                   f" detail")
    for name in sorted(wanted - named):
        yield f"{path}:1: no signature names {name}: tools/check_doors.py need not allow it"


def check_bases(path, text):
    for match in DERIVED.finditer(text):
        name = match.group(1).rsplit("::", 1)[-1]
        for base in re.findall(r"public detail::(\w+)", match.group(2)):
            if BASES.get(name) != base:
                yield (f"{path}:{line_of(text, match.start())}: {name} derives from detail::{base}: what programs"
                       f" call of it has to stand in a public header")


class OfWeft(cpp_definitions.Reader):
    """Collects the lines with definitions in namespace weft itself."""

    def __init__(self, text):
        super().__init__(text)
        self.lines = []

    def body(self, start, at, outer, in_type):
        kind, _ = cpp_definitions.scope_of(self.code[start:at]) or (None, None)
        if outer == ["weft"] and kind != "namespace":
            self.lines.append(self.code[start].line)
        return super().body(start, at, outer, in_type)


def check_namespace(path, text):
    reader = OfWeft(text)
    reader.read()
    for line in reader.lines:
        yield f"{path}:{line}: what a header of detail/ defines belongs into namespace weft::detail"


def check_first_include(path, text):
    found = ANY_INCLUDE.search(text)
    if not found or found.group(1) != FIRST:
        yield f"{path}:{line_of(text, found.start()) if found else 1}: its first include has to be \"{FIRST}\""


def check_exports(root, public):
    umbrella = root / HEADERS / "weft.hpp"
    if not umbrella.exists():
        return
    text = umbrella.read_text(encoding="utf-8")
    found = [match.group(1).removeprefix("weft/") for match in INCLUDE.finditer(text) if match.group(1) != FIRST]
    wanted = public - APART
    for name in sorted(wanted - set(found)):
        yield f"{HEADERS}/weft.hpp:1: weft/{name} is missing: it is public"
    for name in sorted(set(found) - wanted):
        yield f"{HEADERS}/weft.hpp:1: weft/{name} does not belong here: it is not public"
    for name in sorted({name for name in found if found.count(name) > 1}):
        yield f"{HEADERS}/weft.hpp:1: weft/{name} is here twice"


def check_page(root, listed):
    text = (root / PAGE).read_text(encoding="utf-8") if (root / PAGE).exists() else ""
    rows = [match.group(1) for match in ROW.finditer(text)]
    for name in sorted(listed - set(rows)):
        yield f"{PAGE}: a row for weft/{name} is missing"
    for name in sorted(set(rows) - listed):
        yield f"{PAGE}: weft/{name} is no header for programs"
    for name in sorted({name for name in rows if rows.count(name) > 1}):
        yield f"{PAGE}: weft/{name} has two rows"


def check(root):
    headers = {path.relative_to(root / HEADERS).as_posix()
               for path in (root / HEADERS).rglob("*") if path.suffix in (".hpp", ".h")}
    public = {name for name in headers if "/" not in name}
    extend = {name for name in headers if name.startswith("extend/")}
    errors = [f"{HEADERS}/{name}:1: there are three doors: include/weft/, extend/ and detail/"
              for name in sorted(headers) if name.split("/")[0] not in ("extend", "detail", "c")
              and "/" in name]
    for path in sources.cpp_files(root):
        if path.as_posix().startswith(PROGRAMS):
            errors += check_program(path, (root / path).read_text(encoding="utf-8"))
    for path in sorted((root / "docs/guide").glob("*.md")):
        text = code_of_page(path.read_text(encoding="utf-8"))
        errors += check_program(path.relative_to(root), text)
    texts = {name: (root / HEADERS / name).read_text(encoding="utf-8") for name in headers}
    internal = internal_classes(texts.values())
    for name in sorted(public | extend):
        errors += check_signatures(name, texts[name], internal)
        errors += check_bases(HEADERS / name, texts[name])
    for name in sorted(headers):
        if not name.startswith("detail/"):
            errors += check_first_include(HEADERS / name, texts[name])
    for name in sorted(headers - public - extend):
        if name.startswith("detail/"):
            errors += check_namespace(HEADERS / name, texts[name])
    errors += check_exports(root, public)
    errors += check_page(root, {name for name in headers if not name.startswith("detail/")})
    return errors


def main():
    return sources.report(check(sources.checked_root()))


if __name__ == "__main__":
    sys.exit(main())
