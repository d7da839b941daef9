"""Repairs Debian's package of the theme Furo, whose files are meant for Debian's own web server.

- furo.css imports a style from /javascript/, which exists on that server only.
- furo.js is a module that imports another, but is not loaded as a module, which is impossible from the disk.
- Its dark colours are used only if the reader chooses them, not if the system is dark: the compiler of the
style drops a media query inside of another.

And Sphinx's searchtools.js: it fetches an excerpt of each page that it finds, which browsers forbid from the disk.
"""

import pathlib
import re

JAVASCRIPT = pathlib.Path("/usr/share/javascript")

IMPORTED_STYLE = re.compile(r"@import url\(/javascript/([\w./-]+)\);")
IMPORTED_SCRIPT = re.compile(r'^import \w+ from "\./([\w.-]+)";$', re.MULTILINE)
DARK = re.compile(r'@media not print \{\n(  body\[data-theme="dark"\] \{.*?\} \})', re.DOTALL)

EXCERPTS = "DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY;"


def whole_style(text, javascript):
    text = IMPORTED_STYLE.sub(lambda found: (javascript / found.group(1)).read_text(encoding="utf-8"), text)
    dark = DARK.search(text)
    if dark and "prefers-color-scheme" not in text:
        rules = dark.group(1).replace('[data-theme="dark"]', ':not([data-theme="light"])')
        text += f"\n@media screen and (prefers-color-scheme: dark) {{\n{rules}\n"
    return text


def whole_script(text, folder):
    return IMPORTED_SCRIPT.sub(lambda found: (folder / found.group(1)).read_text(encoding="utf-8"), text)


def without_excerpts_from_the_disk(text):
    return text.replace(EXCERPTS, EXCERPTS.replace(";", ' && location.protocol !== "file:";'))


def complete(html, javascript=JAVASCRIPT):
    """Changes the files of the theme and of the search in the site."""
    style = html / "_static" / "styles" / "furo.css"
    script = html / "_static" / "scripts" / "furo.js"
    style.write_text(whole_style(style.read_text(encoding="utf-8"), javascript), encoding="utf-8")
    script.write_text(whole_script(script.read_text(encoding="utf-8"), script.parent), encoding="utf-8")
    search = html / "_static" / "searchtools.js"
    search.write_text(without_excerpts_from_the_disk(search.read_text(encoding="utf-8")), encoding="utf-8")
