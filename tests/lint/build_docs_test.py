#!/usr/bin/env python3
"""Tests of the tools of the documentation site: check_reference, check_site, site_pages, site_theme."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import check_reference  # noqa: E402
import check_site  # noqa: E402
import reference_xml  # noqa: E402
import site_pages  # noqa: E402
import site_theme  # noqa: E402

LOADER = importlib.machinery.SourceFileLoader("build_docs", str(TOOLS / "build_docs"))
build_docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("build_docs", LOADER))
LOADER.exec_module(build_docs)


def member(name, comment="", kind="function", arguments="()", prot="public", line=1, extra=""):
    return (f'<memberdef kind="{kind}" id="id_{name}" prot="{prot}"><type>int</type>'
            f"<definition>int weft::{name}</definition><argsstring>{arguments}</argsstring>"
            f"<name>{name}</name>{extra}<briefdescription><para>{comment}</para></briefdescription>"
            f"<detaileddescription></detaileddescription>"
            f'<location file="weft/a.hpp" line="{line}" bodystart="{line}" bodyend="{line}"/>'
            "</memberdef>")


def compound(kind, name, inside, comment="", prot="public"):
    return (f'<doxygen><compounddef id="{name}" kind="{kind}" prot="{prot}">'
            f"<compoundname>{name}</compoundname><sectiondef>{inside}</sectiondef>"
            f"<briefdescription><para>{comment}</para></briefdescription>"
            '<detaileddescription></detaileddescription><location file="weft/a.hpp" line="1"/>'
            "</compounddef></doxygen>")


class Tree(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)

    def write(self, files):
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)


class CheckReference(Tree):
    def check(self, *compounds, source="", left_out=()):
        index = "".join(f'<compound refid="c{i}"/>' for i in range(len(compounds)))
        self.write({"xml/index.xml": f"<doxygenindex>{index}</doxygenindex>",
                    "include/weft/a.hpp": source} |
                   {f"xml/c{i}.xml": text for i, text in enumerate(compounds)})
        reference = reference_xml.Reference(self.root / "xml", self.root / "include", left_out)
        return check_reference.check(reference)[0]

    def test_a_symbol_without_a_comment_is_named_with_its_place(self):
        self.assertEqual(self.check(compound("class", "weft::A", member("f"), "Does.")),
                         ["weft/a.hpp:1: weft::A::f has no comment"])
        self.assertEqual(self.check(compound("class", "weft::A", member("f", "Does."))),
                         ["weft/a.hpp:1: weft::A has no comment"])
        self.assertEqual(self.check(compound("namespace", "weft", member("f"))),
                         ["weft/a.hpp:1: weft::f has no comment"])
        self.assertEqual(len(self.check(compound("concept", "weft::C", ""))), 1)

    def test_one_comment_is_enough_for_all_overloads(self):
        overloads = member("f", "Does.") + member("f")
        self.assertEqual(self.check(compound("class", "weft::A", overloads, "Is.")), [])

    def test_an_overload_in_another_header_needs_its_own(self):
        elsewhere = member("f", line=2).replace("weft/a.hpp", "weft/b.hpp")
        self.write({"include/weft/b.hpp": ""})
        self.assertEqual(self.check(compound("namespace", "weft", member("f", "Does.") + elsewhere)),
                         ["weft/b.hpp:2: weft::f has no comment"])

    def test_an_enumerator_needs_a_comment_or_is_named_by_that_of_its_enumeration(self):
        value = ("<enumvalue><name>red</name><briefdescription/><detaileddescription/></enumvalue>")
        with_text = value.replace("<briefdescription/>", "<briefdescription>warm</briefdescription>")

        def enumeration(values, comment):
            return compound("namespace", "weft", member("E", comment, kind="enum", extra=values))
        self.assertEqual(self.check(enumeration(value, "A colour.")),
                         ["weft/a.hpp:1: weft::E::red has no comment"])
        self.assertEqual(self.check(enumeration(value, "A colour: red.")), [])
        self.assertEqual(self.check(enumeration(with_text, "A colour.")), [])

    def test_what_the_language_says_needs_none(self):
        for name in ("~A", "operator=", "operator==", "begin", "value_type", "retain", "operator bool"):
            self.assertEqual(self.check(compound("class", "weft::A", member(name), "Is.")), [], name)
        deleted = member("f", arguments="()=delete")
        override = member("g", arguments="() const override")
        self.assertEqual(self.check(compound("class", "weft::A", deleted + override, "Is.")), [])
        copies = member("A", arguments="(const A &amp;)",
                        extra="<param><type>const A &amp;</type></param>").replace("<type>int</type>", "", 1)
        takes = member("A", arguments="(int)",
                       extra="<param><type>int</type></param>").replace("<type>int</type>", "", 1)
        self.assertEqual(self.check(compound("class", "weft::A", copies, "Is.")), [])
        self.assertEqual(len(self.check(compound("class", "weft::A", takes, "Is."))), 1)

    def test_what_programs_cannot_use_needs_none(self):
        private = member("f", prot="private") + member("B", kind="friend")
        self.assertEqual(self.check(compound("class", "weft::A", private, "Is.")), [])
        self.assertEqual(self.check(compound("class", "weft::A", member("f"), prot="private")), [])
        self.assertEqual(self.check(compound("class", "weft::detail::A", member("f"))), [])
        mistake = compound("namespace", "weft", member("f"))
        self.assertEqual(self.check(mistake, source="{ static_assert(always_false<T>) }\n"), [])
        self.assertEqual(len(self.check(mistake, source="{ return 1; }\n")), 1)

    def test_what_is_listed_is_left_out_and_must_exist(self):
        one = compound("class", "weft::A", member("f"))
        self.assertEqual(self.check(one, left_out=["weft::A"]), [])
        self.assertEqual(self.check(one, left_out=["weft::A", "weft::Gone"]),
                         ["weft::Gone is to be left out, but there is no such symbol"])

    def test_the_list_of_what_is_left_out_has_a_name_a_line(self):
        self.write({"list.txt": "# why\nweft::A | is private\nweft::B::c | cannot be parsed\n"})
        self.assertEqual(reference_xml.read_left_out(self.root / "list.txt"), ["weft::A", "weft::B::c"])


class WriteForBreathe(Tree):
    def test_a_header_holds_what_it_declares_and_nothing_that_is_left_out(self):
        function = member("f", "Does.", extra="<qualifiedname>weft::f</qualifiedname>")
        inside = member("g", "Does.") + member("secret", prot="private")
        self.write({"xml/index.xml": "<doxygenindex>" + "".join(
                        f'<compound refid="{name}"/>' for name in ("ns", "cl", "file")) + "</doxygenindex>",
                    "xml/ns.xml": compound("namespace", "weft", function),
                    "xml/cl.xml": compound("class", "weft::A", inside, "Is."),
                    "xml/file.xml": compound("file", "a.hpp", "").replace(
                        "<sectiondef></sectiondef>", "<innernamespace>weft</innernamespace>"),
                    "include/weft/a.hpp": ""})
        reference = reference_xml.Reference(self.root / "xml", self.root / "include")
        reference_xml.write_for_breathe(reference, self.root / "out")
        header = (self.root / "out/file.xml").read_text()
        self.assertIn("<name>weft::f</name>", header)
        self.assertIn('<innerclass refid="weft::A" prot="public">weft::A</innerclass>', header)
        self.assertNotIn("innernamespace", header)
        self.assertNotIn("secret", (self.root / "out/cl.xml").read_text())
        self.assertNotIn("memberdef", (self.root / "out/ns.xml").read_text())


class BuildDocs(unittest.TestCase):
    def test_without_its_tools_it_says_what_to_install(self):
        output = io.StringIO()
        with mock.patch("shutil.which", return_value=None), contextlib.redirect_stderr(output):
            self.assertEqual(build_docs.main(), 1)
        self.assertEqual(output.getvalue(),
                         "build_docs: please install doxygen python3-sphinx python3-breathe "
                         "python3-myst-parser furo (tools/setup --docs does)\n")

    def test_what_it_asks_for_is_what_setup_installs(self):
        setup = (TOOLS / "setup").read_text()
        for package in [*build_docs.PACKAGES.values(), *build_docs.MODULES.values()]:
            self.assertIn(package, setup)


class CheckSite(Tree):
    def check(self, text):
        self.write({"index.html": text, "a/b.html": '<p id="here"></p>', "a/c.css": ""})
        return check_site.check(self.root)

    def test_a_link_leads_to_a_file_of_the_site(self):
        self.assertEqual(self.check('<a href="a/b.html">b</a><link href="a/c.css">'), [])
        self.assertEqual(self.check('<a href="https://elsewhere/">b</a>'), [])
        self.assertEqual(self.check('\n<a href="a/gone.html">b</a>'),
                         ["index.html:2: the link a/gone.html leads nowhere"])
        self.assertEqual(len(self.check('<img src="gone.png">')), 1)

    def test_a_fragment_leads_to_a_part_of_its_page(self):
        self.assertEqual(self.check('<a href="a/b.html#here">b</a>'), [])
        self.assertEqual(self.check('<p id="top"><a href="#top">b</a></p>'), [])
        self.assertEqual(self.check('<a href="a/b.html#there">b</a>'),
                         ["index.html:1: the link a/b.html#there leads to no part of that page"])

    def test_nothing_leads_out_of_the_site(self):
        self.assertEqual(self.check('<a href="/etc/passwd">b</a>'),
                         ["index.html:1: the link /etc/passwd leads out of the site"])

    def test_a_style_refers_to_files_of_the_site(self):
        self.write({"a/d.css": "@import url(c.css);\nbody { background: url('data:image/png;base64,AA'); }\n"})
        self.assertEqual(self.check(""), [])
        self.write({"a/d.css": "\n@import url(/javascript/normalize.css);\nbody { background: url(gone.png); }\n"})
        self.assertEqual(self.check(""),
                         ["a/d.css:2: the link /javascript/normalize.css leads out of the site",
                          "a/d.css:3: the link gone.png leads nowhere"])

    def test_a_script_is_no_module(self):
        self.write({"a/e.js": "var x = 1; // import y\n"})
        self.assertEqual(self.check(""), [])
        self.write({"a/e.js": 'import x from "./y.js";\n'})
        self.assertEqual(len(self.check("")), 1)

    def test_every_symbol_is_on_a_page(self):
        self.write({"xml/index.xml": '<doxygenindex><compound refid="c"/></doxygenindex>',
                    "xml/c.xml": compound("class", "weft::A", member("f", "Does."), "Is."),
                    "include/weft/a.hpp": "", "site/a.html": '<p id="weft::A"></p>'})
        reference = reference_xml.Reference(self.root / "xml", self.root / "include")
        self.assertEqual(check_site.check_symbols(self.root / "site", reference),
                         ["weft::A f: on no page of the site"])


    def test_a_concept_is_on_the_page_of_its_header(self):
        self.write({"xml/index.xml": '<doxygenindex><compound refid="c"/><compound refid="d"/></doxygenindex>',
                    "xml/c.xml": compound("concept", "weft::C", "", "Is."),
                    "xml/d.xml": compound("concept", "weft::detail::D", ""), "include/weft/a.hpp": ""})
        reference = reference_xml.Reference(self.root / "xml", self.root / "include")
        for page, found in [("a", []), ("b", ["weft::C: not on the page reference/a.html"])]:
            self.write({"site/reference/a.html": "", f"site/reference/{page}.html": '<p id="_CPPv4I0EN4weft1CE"></p>'})
            self.assertEqual(check_site.check_symbols(self.root / "site", reference), found)
            (self.root / "site/reference/a.html").unlink()


class SiteTheme(Tree):
    def complete(self, style, script, search=""):
        self.write({"html/_static/styles/furo.css": style, "html/_static/scripts/furo.js": script,
                    "html/_static/searchtools.js": search,
                    "html/_static/scripts/spy.js": "window.Spy = 1;\n", "share/n/n.css": "body { margin: 0 }\n"})
        site_theme.complete(self.root / "html", self.root / "share")
        return [(self.root / "html/_static" / name).read_text() for name in ("styles/furo.css", "scripts/furo.js")]

    def test_what_is_imported_is_put_in(self):
        style, script = self.complete("@import url(/javascript/n/n.css);\np {}\n", 'import Spy from "./spy.js";\n\nSpy();\n')
        self.assertEqual(style, "body { margin: 0 }\n\np {}\n")
        self.assertEqual(script, "window.Spy = 1;\n\n\nSpy();\n")

    def test_a_dark_system_gets_the_dark_colours(self):
        rules = '@media not print {\n  body[data-theme="dark"] {\n    --a: black; }\n    body[data-theme="dark"] .x {\n      top: 0; } }\n'
        style, _ = self.complete(rules, "")
        self.assertEqual(style, rules + "\n@media screen and (prefers-color-scheme: dark) {\n"
                         '  body:not([data-theme="light"]) {\n    --a: black; }\n'
                         '    body:not([data-theme="light"]) .x {\n      top: 0; } }\n')
        whole = rules + "@media (prefers-color-scheme: dark) {}\n"
        self.assertEqual(self.complete(whole, "")[0], whole)

    def test_the_search_fetches_no_pages_from_the_disk(self):
        self.complete("", "", "  const shows = DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY;\n")
        self.assertEqual((self.root / "html/_static/searchtools.js").read_text(),
                         '  const shows = DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY && location.protocol !== "file:";\n')


class SitePages(Tree):
    FILES = {"docs/site/index.md": "# weft\n", "CHANGELOG.md": "# Changelog\n", "bench/README.md": "# Benchmarks\n",
             "docs/guide/headers.md": "# The headers\n\n## All\n\n| [`weft/a.hpp`](../../include/weft/a.hpp) "
                                      "| `A` |\n\n## To extend weft\n\n",
             "examples/README.md": "# Examples\n\n[one](one.cpp)\n", "examples/one.cpp": "int main() {}\n",
             "include/weft/a.hpp": "", "docs/adr/0001-why.md": "# Why\n", "src/room/x.cpp": "",
             "docs/guide/README.md": "# The guide\n\n## Start\n\n[page](page.md)\n"}

    def build(self, text):
        self.write(self.FILES | {"docs/guide/page.md": text})
        site_pages.Site(self.root, self.root / "out").build()
        return (self.root / "out/guide/page.md").read_text()

    def test_links_lead_to_the_pages_of_the_site(self):
        self.assertIn("[w](../design/adr/0001-why.md#x)", self.build("[w](../adr/0001-why.md#x)\n"))
        self.assertIn("[a](../reference/a.md)", self.build("[a](../../include/weft/a.hpp)\n"))
        self.assertIn("[e](../examples/index.md)", self.build("[e](../../examples/)\n"))
        self.assertIn("[h](../reference/index.md)", self.build("[h](headers.md)\n"))
        self.assertIn("[s](https://elsewhere/x.md)", self.build("[s](https://elsewhere/x.md)\n"))
        self.assertIn("[r](../index.md)", self.build("[r](../site/index.md)\n"))

    def test_a_file_that_is_no_page_becomes_one(self):
        self.assertIn("[x](../design/rooms/room/x_cpp.md)", self.build("[x](../../src/room/x.cpp)\n"))
        self.assertIn("literalinclude", (self.root / "out/design/rooms/room/x_cpp.md").read_text())
        self.assertIn("[d](../design/rooms/room.md)", self.build("[d](../../src/room/)\n"))

    def test_code_names_the_example_it_is_from_and_is_not_indented(self):
        page = self.build("<!-- from examples/one.cpp -->\n```cpp\n    int main() {}\n```\n")
        self.assertIn("```{code-block} cpp\n:caption: '[examples/one.cpp](../examples/one.md)'\n\n"
                      "int main() {}\n```", page)

    def test_a_picture_for_light_and_dark_is_shown_in_its_theme(self):
        self.write({"docs/l.svg": "", "docs/d.svg": ""})
        page = self.build('<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="../d.svg">\n'
                          '  <img alt="Times\n       of all" width="9"\n src="../l.svg">\n</picture>\n')
        self.assertEqual(page, "```{image} /pictures/docs-l.svg\n:alt: Times of all\n:class: only-light\n```\n"
                               "```{image} /pictures/docs-d.svg\n:alt: Times of all\n:class: only-dark\n```\n")

    def test_a_block_without_a_language_is_text(self):
        self.assertEqual(self.build("```\nmake demo\n```\n"), "```text\nmake demo\n```\n")

    def test_code_is_not_searched_for_links(self):
        self.assertIn("[](int)", self.build("```cpp\nf([](int) {});\n```\n"))

    def test_a_header_has_a_page_and_the_start_page_has_all(self):
        self.build("# Page\n")
        self.assertIn("doxygenfile} weft/a.hpp", (self.root / "out/reference/a.md").read_text())
        index = (self.root / "out/index.md").read_text()
        for line in (":caption: Start", "guide/page", "reference/index", "reference/extend/index"):
            self.assertIn(line, index)


if __name__ == "__main__":
    unittest.main()
