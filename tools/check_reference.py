#!/usr/bin/env python3
"""Checks on Doxygen's XML that every public symbol has a comment.

Usage: check_reference.py XML INCLUDE [LEFT_OUT]

A symbol is a name in a scope: one comment is enough for all overloads of a function that a header has, and
that of an enumeration for the enumerators it names. No comment is needed where the language, a base class or a
protocol defines the meaning: destructors, assignments, comparisons, conversions, constructors that copy, move or
take nothing, inherited constructors, overrides of a function that has a comment, and the names that iterators,
ranges and Ref require. tools/reference_xml.py says what is not a public symbol.
"""

import re
import sys

import reference_xml

PROTOCOL = {"begin", "end", "value_type", "difference_type", "reference", "pointer",
            "iterator_concept", "iterator_category",
            "retain", "release", "references", "free_with_last_reference"}
OPERATORS = {"operator=", "operator==", "operator!=", "operator<=>", "operator++", "operator*",
             "operator->"}


def last_name(compound):
    return compound.findtext("compoundname").partition("<")[0].rpartition("::")[2].strip()


def says_itself(member, compound):
    """Whether the language or a base class defines the meaning of this member."""
    name = member.findtext("name")
    arguments = member.findtext("argsstring") or ""
    if name.startswith(("~", "operator ")) or name in PROTOCOL or name in OPERATORS:
        return True
    if member.find("reimplements") is not None or " override" in arguments:
        return True
    if compound.get("kind") == "namespace" or member.get("kind") != "function":
        return False
    if not (member.findtext("type") or "").strip() and name[0].isupper():  # a constructor
        own = last_name(compound)
        types = [kind.replace("const ", "").strip(" &") for kind in reference_xml.parameters(member)]
        return name != own or types in ([], [own])
    return False


def place(element):
    location = element.find("location")
    return f"{location.get('file')}:{location.get('line')}"


def undocumented(reference, compound):
    """Pairs of a place and a name, for a class or a namespace."""
    scope = compound.findtext("compoundname")
    documented, missing = set(), {}
    for member in reference.members(compound):
        name = member.findtext("name")
        key = name, member.find("location").get("file")  # in a namespace, overloads of one header
        if reference_xml.text_of(member):
            documented.add(key)
        elif not says_itself(member, compound):
            missing.setdefault(key, member)
        for value in member.findall("enumvalue"):
            value_name = value.findtext("name")
            named = re.search(rf"\b{value_name}\b", reference_xml.text_of(member))
            if not reference_xml.text_of(value) and not named:
                yield place(member), f"{scope}::{name}::{value_name}"
    for key, member in missing.items():
        if key not in documented:
            yield place(member), f"{scope}::{key[0]}"


def check(reference):
    """The complaints, one line each, and the number of symbols looked at."""
    found, symbols = [], 0
    documented = {compound.findtext("compoundname") for compound in reference.classes()
                  if reference_xml.text_of(compound)}
    for compound in reference.classes():
        symbols += 1 + len({member.findtext("name") for member in reference.members(compound)})
        primary = compound.findtext("compoundname").partition("<")[0]
        if not reference_xml.text_of(compound) and primary not in documented:
            found.append((place(compound), compound.findtext("compoundname")))
        found += undocumented(reference, compound)
    for compound in reference.compounds("namespace", "file", "concept"):
        if compound.get("kind") == "concept":
            symbols += 1
            if not reference_xml.text_of(compound):
                found.append((place(compound), compound.findtext("compoundname")))
            continue
        symbols += len({member.findtext("name") for member in reference.members(compound)})
        found += undocumented(reference, compound)
    errors = [f"{where}: {name} has no comment" for where, name in sorted(set(found))]
    errors += [f"{name} is to be left out, but there is no such symbol" for name in reference.unused()]
    return errors, symbols


def main():
    left_out = reference_xml.read_left_out(sys.argv[3]) if len(sys.argv) > 3 else []
    errors, symbols = check(reference_xml.Reference(*sys.argv[1:3], left_out))
    for error in errors:
        print(error)
    print(f"check_reference: {symbols} public symbols, {len(errors)} without a comment")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
