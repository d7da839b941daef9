#!/usr/bin/env python3
"""tools/check_docs.py finds what it should, on small trees made here."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_docs  # noqa: E402

FILES = {"src/event/event.cpp": "", "src/event/linux/e.cpp": "", "src/base/a.hpp": "",
         "include/weft/event.hpp": "", "tools/layers.txt": ""}


class RoomReadme(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, content in (FILES | {"src/event/README.md": text}).items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            return check_docs.check(root)

    def test_names_files_of_the_room_and_headers_as_they_are_included(self):
        self.assertEqual(self.check("`event.cpp`, `linux/e.cpp`, `base/a.hpp`, `weft/event.hpp`\n"), [])
        self.assertEqual(self.check("`src/event/event.cpp`, `tools/layers.txt`, `notify()`\n"), [])

    def test_a_file_that_does_not_exist_is_an_error(self):
        self.assertEqual(self.check("\nSee `callback.cpp`.\n"),
                         ["src/event/README.md:2: callback.cpp does not exist"])
        self.assertEqual(len(self.check("`a.hpp` of another room\n")), 1)
        self.assertEqual(len(self.check("`src/event/callback.cpp`\n")), 1)

    def test_a_link_leads_to_a_file(self):
        self.assertEqual(len(self.check("[this](nowhere.md)\n")), 1)
        self.assertEqual(self.check("[this](event.cpp)\n"), [])


class OtherPages(unittest.TestCase):
    def test_pages_outside_of_docs_are_read(self):
        for page in ("CONTRIBUTING.md", "tests/README.md", "bench/README.md", "php/README.md", "php/DIFFERENCES.md"):
            with tempfile.TemporaryDirectory() as name:
                root = pathlib.Path(name)
                (root / page).parent.mkdir(exist_ok=True)
                (root / page).write_text("`include/weft/gone.hpp`\n")
                self.assertEqual(check_docs.check(root), [f"{page}:1: include/weft/gone.hpp does not exist"])


class Glossary(unittest.TestCase):
    def check(self, *rows):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, content in {"docs/glossary.md": "\n".join(["| word | means |", "| --- | --- |", *rows, ""]),
                                  "include/weft/a.hpp": "class Alarm {};\n",
                                  "php/src/b.hpp": "struct VmState {};\n"}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            return check_docs.check(root)

    def test_words_are_sorted_and_stand_once(self):
        self.assertEqual(self.check("| **ADR** | a |", "| **alarm** | b (`detail::Alarm`) |", "| **VM state** | (`VmState`) |"), [])
        self.assertEqual(self.check("| **b** | x |", "| **a** | y |"), ["docs/glossary.md:4: `a` belongs before `b`"])
        self.assertEqual(self.check("| **a** | x |", "| **a** | y |"), ["docs/glossary.md:4: `a` is here twice"])

    def test_a_class_that_is_named_exists(self):
        self.assertEqual(self.check("| **seat** | a place (`Seat`) |"), ["docs/glossary.md:3: there is no class Seat"])
        self.assertEqual(self.check("| **cancel** | throw `Alarm`, `delay()`, `Scheduler::run` |"), [])


class Readme(unittest.TestCase):
    def check(self, text, files=()):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, content in {"README.md": text, **dict(files)}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            return check_docs.check(root)

    def test_it_has_less_than_two_hundred_lines(self):
        self.assertEqual(self.check("x\n" * 199), [])
        self.assertEqual(self.check("x\n" * 200), ["README.md: 200 lines; it is read at one go, so at most 199"])

    def test_what_it_says_that_an_example_prints_or_reports_is_in_the_comment_of_that_example(self):
        listing = {"examples/README.md": "[a](a.cpp)\n",
                   "examples/a.cpp": "// Prints:\n//   said\n\n// Reports:\n//   a\n//     b\n"}
        for kind, block in [("printed", "said"), ("reported", "a\n  b")]:
            text = f"<!-- {kind} by examples/a.cpp -->\n```\n{block}\n```\n"
            self.assertEqual(self.check(text, listing), [])
            self.assertEqual(len(self.check(text.replace(block, "other"), listing)), 1)


class GuideCode(unittest.TestCase):
    def check(self, text, files):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, content in (files | {"docs/guide/page.md": text}).items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            return check_docs.check(root)

    def block(self, language, path):
        return f"<!-- from {path} -->\n```{language}\ncode();\n```\n"

    def test_code_of_every_language_is_from_an_example_that_is_run(self):
        for language, path in [("cpp", "examples/a.cpp"), ("c", "examples/a.c"),
                               ("go", "examples/coming_from/a.go")]:
            listing = f"[a]({path.removeprefix('examples/')})\n"
            files = {path: "code();\n", "examples/README.md": listing}
            self.assertEqual(self.check(self.block(language, path), files), [])
            self.assertEqual(len(self.check(self.block(language, "tests/a.cpp"),
                                            files | {"tests/a.cpp": "code();\n"})), 1)
            self.assertEqual(len(self.check(f"```{language}\ncode();\n```\n", files)), 1)

    def test_an_example_in_c_or_for_comparison_is_listed(self):
        files = {"examples/a.c": "", "examples/coming_from/b.go": "", "examples/README.md": ""}
        self.assertEqual(self.check("", files), ["examples/README.md: a.c is missing",
                                                 "examples/README.md: coming_from/b.go is missing"])


if __name__ == "__main__":
    unittest.main()
