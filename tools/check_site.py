#!/usr/bin/env python3
"""Checks the built documentation site.

Usage: check_site.py HTML

A link of a page or a style leads to a file of the site, its fragment to an element of that page, no script is a
module (which browsers do not load from the disk), and every symbol of the reference is on a page, a concept on that of
its header.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

import reference_xml
import site_pages


STYLE_LINK = re.compile(r"""url\(["']?([^"')]+)["']?\)""")
MODULE = re.compile(r"^(?:import|export) ", re.MULTILINE)


class Page(html.parser.HTMLParser):
    """The links of a page, and the names that links may lead to."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.names = set()
        self.links = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.names |= {values[key] for key in ("id", "name") if values.get(key)}
        for key in ("href", "src"):
            if values.get(key):
                self.links.append((values[key], self.getpos()[0]))


def pages(root):
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.html"))
            if "_static" not in path.relative_to(root).parts}


def complaint(path, link, all_pages):
    """What is wrong with a link of the page `path`, or None."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    if parts.path.startswith("/"):
        return f"the link {link} leads out of the site"
    target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return f"the link {link} leads nowhere"
    fragment = urllib.parse.unquote(parts.fragment)
    if fragment and target in all_pages and fragment not in all_pages[target].names:
        return f"the link {link} leads to no part of that page"
    return None


def check(root):
    """The dead links, one line each."""
    root = pathlib.Path(root).resolve()
    all_pages = pages(root)
    found = []
    for path, page in all_pages.items():
        for link, line in page.links:
            error = complaint(path, link, all_pages)
            if error:
                found.append(f"{path.relative_to(root)}:{line}: {error}")
    return [*found, *check_styles(root), *check_scripts(root)]


def check_styles(root):
    for path in sorted(root.rglob("*.css")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for link in STYLE_LINK.findall(line):
                error = complaint(path, link, {})
                if error:
                    yield f"{path.relative_to(root)}:{number}: {error}"


def check_scripts(root):
    for path in sorted(root.rglob("*.js")):
        found = MODULE.search(path.read_text(encoding="utf-8"))
        if found:
            yield f"{path.relative_to(root)}: a module: no browser loads it from the disk"


def check_symbols(root, reference):
    """The public symbols that are on no page."""
    root = pathlib.Path(root)
    all_pages = pages(root)
    names = set().union(*(page.names for page in all_pages.values()))
    found = []
    for compound in reference.classes():
        for symbol in [compound, *reference.members(compound)]:
            if symbol.get("id") not in names:
                name = symbol.findtext("name") or ""
                found.append(f"{compound.findtext('compoundname')} {name}: on no page of the site")
    for compound in reference.compounds("file"):
        for member in compound.iter("memberdef"):
            if member.get("id") not in names:
                found.append(f"{member.findtext('name')}: on no page of the site")
    for concept in reference_xml.named_concepts(reference):
        name = concept.findtext("compoundname")
        page = f"{site_pages.page_name('include/' + concept.find('location').get('file'))}.html"
        end = "EN" + "".join(f"{len(part)}{part}" for part in name.split("::")) + "E"  # of the name Sphinx gives it
        if root / page not in all_pages or not any(one.endswith(end) for one in all_pages[root / page].names):
            found.append(f"{name}: not on the page {page}")
    return found


def main():
    errors = check(sys.argv[1])
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
