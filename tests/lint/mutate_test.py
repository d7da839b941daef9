#!/usr/bin/env python3
"""tools/mutate finds what is wrong with a mutation, on small trees made here."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("mutate", str(TOOLS / "mutate"))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", LOADER))
LOADER.exec_module(mutate)

TREE = {
    "docs/requirements.md": "## 1 First\n\n- R-AAA-1: something\n",
    "docs/traps.md": "",
    "tests/room/a_test.cpp": "// R-AAA-1\nTEST_P(Suite, Holds) {\n}\n",
    "src/room/a.cpp": "int a() {\n  return 1;\n}\n",
}
PATCH = """It is broken.
Fails: room_test {filter}
--- a/src/room/a.cpp
+++ b/src/room/a.cpp
@@ -1,3 +1,3 @@
 int a() {{
-  return {old};
+  return 2;
 }}
"""


class Mutate(unittest.TestCase):
    def check(self, name, patch):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for path, text in {**TREE, f"tests/mutations/{name}.patch": patch}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return mutate.check(root)

    def test_takes_one_that_applies_and_names_a_test_of_its_statement(self):
        for test in ("Suite.Holds", "Suite.Ho*", "All/Suite.Holds/Row", "Of/Suite.Holds/*", "Other.Test:Suite.*"):
            with self.subTest(filter=test):
                self.assertEqual(self.check("R-AAA-1", PATCH.format(filter=test, old=1)), [])
        self.assertEqual(self.check("R-AAA-1.word", PATCH.format(filter="Suite.*", old=1)), [])

    def test_finds_one_that_does_not_apply(self):
        error, = self.check("R-AAA-1", PATCH.format(filter="Suite.Holds", old=7))
        self.assertIn("tests/mutations/R-AAA-1.patch:1: does not apply any more", error)

    def test_finds_one_that_names_no_test_of_its_statement(self):
        error, = self.check("R-AAA-1", PATCH.format(filter="Suite.Other", old=1))
        self.assertIn("no test Suite.Other carries R-AAA-1", error)

    def test_finds_one_without_its_header_or_of_no_statement(self):
        headless = PATCH.format(filter="Suite.Holds", old=1).replace("Fails:", "Test:")
        error, = self.check("R-AAA-1", headless)
        self.assertIn("want a line", error)
        error, = self.check("R-BBB-1", PATCH.format(filter="Suite.Holds", old=1))
        self.assertIn("named after no statement", error)


if __name__ == "__main__":
    unittest.main()
