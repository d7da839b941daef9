"""The pages of the documentation site, made of the Markdown files, examples and headers of the repository.

The pages of the guide and what they link to become pages of the site. Links between them stay links; one to
a header leads to its page in the reference, one to another file to a page with its text, one to a
directory to its README.md or a list of its files.
"""

import os
import pathlib
import re
import shutil
import textwrap

import changes

FENCE = re.compile(r"^\s*```")
FROM = re.compile(r"^\s*<!-- (?:from|printed by) (\S+) -->\s*$")
LINK = re.compile(r"(\]\()([^)#\s]*)(#[^)\s]*)?\)")
HEADER_ROW = re.compile(r"^\| \[`(weft/[^`]+)`\]\([^)]*\) \| (.*) \|$")
PICTURE = re.compile(r'<picture>\s*<source [^>]*srcset="([^"]*)">\s*<img ([^>]*)>\s*</picture>')
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".c": "c", ".go": "go", ".py": "python",
             ".txt": "text", ".cmake": "cmake", ".svg": "xml", ".json": "json"}
PICTURES = {".png", ".svg"}
ROOTS = ["docs/site/index.md", "docs/guide/README.md", "docs/guide/headers.md", "examples/README.md",
         "CHANGELOG.md", "bench/README.md"]
DIRECTORIES_OF_PAGES = ["docs/guide", "docs", "docs/adr"]


ORPHAN = "---\norphan: true\n---\n\n"  # in no table of contents; Sphinx would warn
PAGES = {"docs/site/index.md": "index", "README.md": "index", "docs/guide/headers.md": "reference/index"}
DIRECTORIES = {"docs/guide": "guide", "docs": "design", "include/weft": "reference",
               "examples": "examples", "src": "design/rooms", "": "project"}


def page_name(path):
    """The name of the page of a file of the repository, without a suffix."""
    if path in PAGES:
        return PAGES[path]
    below = next(d for d in DIRECTORIES if path == d or path.startswith(f"{d}/") or not d)
    name = pathlib.PurePosixPath(DIRECTORIES[below], path.removeprefix(below).strip("/"))
    if name.name == "README.md":
        return str(name.with_name("index"))
    if (below, name.suffix) in {("include/weft", ".hpp"), ("examples", ".cpp")} or name.suffix == ".md":
        return str(name.with_name(name.stem if name.stem != name.stem.upper() else name.stem.lower()))
    return str(name.with_name(name.name.replace(".", "_")))


class Site:
    """Collects pages from `root` and writes them to `out`."""

    def __init__(self, root, out, concepts=None):
        self.root = pathlib.Path(root)
        self.out = pathlib.Path(out)
        self.concepts = concepts or {}  # by header: what Breathe does not show
        self.written = {}
        self.waiting = []

    def build(self):
        for path in ROOTS:
            self.page_of(path)
        for directory in DIRECTORIES_OF_PAGES:
            for path in sorted((self.root / directory).glob("*.md")):
                self.page_of(path.relative_to(self.root).as_posix())
        while self.waiting:
            self.write(self.waiting.pop())
        self.split_headers()
        self.design_index()

    def page_of(self, path):
        """The name of the page of `path`, which is written later."""
        if (self.root / path).is_dir() and (self.root / path / "README.md").exists():
            path += "/README.md"
        if path not in self.written:
            self.written[path] = page_name(path)
            self.waiting.append(path)
        return self.written[path]

    def write(self, path):
        source = self.root / path
        if source.is_dir():
            text = self.list_of_files(path)
        elif path.startswith("include/weft/"):
            text = self.reference_page(path)
        elif source.suffix == ".md":
            text = self.converted(path)
        else:
            text = self.file_page(path)
        self.put(self.written[path], text)

    def put(self, page, text):
        target = self.out / f"{page}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def converted(self, path):
        """A Markdown file, with its links as they are on the site."""
        lines, in_block, caption = [], False, None
        text = (self.root / path).read_text(encoding="utf-8")
        if path == "CHANGELOG.md":
            text = changes.with_waiting(self.root, text)
        text = PICTURE.sub(lambda picture: self.in_both_themes(picture, path), text)
        for line in dedented(text.splitlines()):
            origin = FROM.match(line)
            if origin:
                caption = origin.group(1)
                continue
            if FENCE.match(line):
                if not in_block and caption:
                    line = self.with_caption(line, path, caption)
                elif not in_block and line.strip() == "```":
                    line += "text"  # else Sphinx takes it for C++
                in_block, caption = not in_block, None
            elif not in_block:
                line = LINK.sub(lambda link: self.moved(link, path), line)
            lines.append(line)
        return "\n".join(lines + self.list_of_pages(path)) + "\n"

    def with_caption(self, fence, path, origin):
        indent, _, language = fence.partition("```")
        link = self.relative(path, self.page_of(origin)) + ".md"
        return (f"{indent}```{{code-block}} {language or 'text'}\n"
                f"{indent}:caption: '[{origin}]({link})'\n")

    def moved(self, link, path):
        target, anchor = link.group(2), link.group(3) or ""
        if "://" in target or not target:
            return link.group(0)
        absolute = os.path.normpath(os.path.join(os.path.dirname(path), target))
        if pathlib.Path(absolute).suffix in PICTURES:
            return f"]({self.picture(path, target)})"
        return f"]({self.relative(path, self.page_of(absolute))}.md{anchor})"

    def picture(self, path, target):
        """Copies a picture that the page `path` shows; returns where it is."""
        absolute = os.path.normpath(os.path.join(os.path.dirname(path), target))
        copy = self.out / "pictures" / absolute.replace("/", "-")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / absolute, copy)
        return f"/pictures/{copy.name}"

    def in_both_themes(self, picture, path):
        """Replaces <picture>, which GitHub uses for light and dark pages, by classes of Furo."""
        attributes = dict(ATTRIBUTE.findall(picture.group(2)))
        alt = " ".join(attributes["alt"].split())
        return "\n".join(f"```{{image}} {self.picture(path, source)}\n:alt: {alt}\n:class: {theme}\n```"
                         for source, theme in [(attributes["src"], "only-light"),
                                               (picture.group(1), "only-dark")])

    def relative(self, path, page):
        return os.path.relpath(page, os.path.dirname(self.written[path]) or ".")

    def list_of_pages(self, path):
        """The tables of contents of the pages that have others below them."""
        if path == "docs/site/index.md":
            lines = toctree(None, ["guide/index"])
            for caption, pages in self.sections("docs/guide/README.md", "guide/"):
                lines += toctree(caption, pages)
            return lines + toctree("Reference", ["reference/index", "reference/extend/index"]) \
                + toctree("More", ["examples/index", "design/index", "project/changelog"])
        if path == "docs/guide/README.md":
            return []
        if path == "examples/README.md":
            return self.toctrees(path, "examples/")
        if path == "docs/guide/headers.md":
            return self.toctrees(path, "reference/", besides="reference/extend/")
        return []

    def toctrees(self, path, prefix, besides="-"):
        own = os.path.dirname(self.written[path])
        pages = [page for _, some in self.sections(path, prefix) for page in some
                 if not page.startswith(besides)]
        return toctree(None, [os.path.relpath(page, own) for page in pages])

    def sections(self, path, prefix):
        """The sections of a page: a title, and the pages below `prefix` that it links to."""
        found, seen = [("", [])], {self.written[path]}
        for line in (self.root / path).read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                found.append((line[3:], []))
            for _, target, _ in LINK.findall(line):
                absolute = os.path.normpath(os.path.join(os.path.dirname(path), target))
                page = self.page_of(absolute) if "://" not in target else ""
                if page.startswith(prefix) and page not in seen:
                    seen.add(page)
                    found[-1][1].append(page)
        return [(title, pages) for title, pages in found if pages]

    def split_headers(self):
        """docs/guide/headers.md is two pages: the headers for programs, and those to extend weft."""
        path = "docs/guide/headers.md"
        own = self.out / (self.written[path] + ".md")
        programs, title, extend = own.read_text(encoding="utf-8").partition("## To extend weft\n")
        extend, start, rest = extend.partition("\n```{toctree}")
        self.put(self.written[path], programs + start + rest)
        pages = [os.path.relpath(page, "reference/extend")
                 for _, some in self.sections(path, "reference/extend/") for page in some]
        text = [title[1:], extend.replace("](extend/", "]("), *toctree(None, pages)]
        self.put("reference/extend/index", "\n".join(text) + "\n")

    def design_index(self):
        """A list of the pages about how weft is made."""
        pages = sorted(page for path, page in self.written.items()
                       if page.startswith(("design/", "project/")) and page != "project/changelog"
                       and self.is_text(path))
        text = ["# How it is made", "", "Decisions, statements, and what the rooms of the source are for.",
                "", *toctree(None, [os.path.relpath(page, "design") for page in pages])]
        text = [line.replace(":hidden:", ":titlesonly:") for line in text]
        self.put("design/index", "\n".join(text) + "\n")

    @staticmethod
    def is_text(path):
        """Whether a file is a page even if no other page links to it."""
        return path.endswith(".md")

    def file_page(self, path):
        """A page with the text of a file."""
        source = self.root / path
        copy = self.out / (self.written[path] + source.suffix)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        return (f"{ORPHAN}# {path}\n\n```{{literalinclude}} {copy.name}\n"
                f":language: {LANGUAGES.get(source.suffix, 'text')}\n```\n")

    def list_of_files(self, path):
        """A page for a directory without a README.md."""
        lines = [f"{ORPHAN}# {path}", ""]
        for entry in sorted((self.root / path).iterdir()):
            if entry.is_file():
                name = entry.relative_to(self.root).as_posix()
                lines.append(f"- [{entry.name}]({self.relative(path, self.page_of(name))}.md)")
        return "\n".join(lines) + "\n"

    def reference_page(self, path):
        """The page of a header: what it is for, and what it declares."""
        header = path.removeprefix("include/")
        rows = (self.root / "docs/guide/headers.md").read_text(encoding="utf-8").splitlines()
        about = [row.group(2) for row in map(HEADER_ROW.match, rows) if row and row.group(1) == header]
        first = about[0][0].upper() + about[0][1:] if about else ""
        return (f"# {header}\n\n{first}\n\n"
                f"```{{doxygenfile}} {header}\n```\n{self.concepts.get(header, '')}")


def dedented(lines):
    """Blocks of code without the indentation that they have in the file they are from."""
    result, block = [], None
    for line in lines:
        if not FENCE.match(line):
            (result if block is None else block).append(line)
        elif block is None:
            result.append(line)
            block = []
        else:
            result += textwrap.dedent("\n".join(block)).splitlines() + [line]
            block = None
    return result


def toctree(caption, pages):
    if not pages:
        return []
    lines = ["", "```{toctree}", ":hidden:"]
    if caption:
        lines.append(f":caption: {caption}")
    return [*lines, "", *pages, "```"]
