#!/usr/bin/env python3
"""tools/trace_requirements finds what it should, on small trees made here."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "trace_requirements"

REQUIREMENTS = """
| section | what |
| --- | --- |
| 1 | first |
| R-TRG | trigger |

## 1.2 First

- R-AAA-1: something
- R-AAA-2: something else [host: php]
- R-AAA-3: a third [partly deferred: io]
- R-AAA-4 (seed): proven by a host [host: php]

## 3.8 Trigger

- R-TRG-1: fires

## 4 Later

- R-BBB-1: not yet
"""

TRAPS = """# Traps

7. A trap.
9. Another one, after
    8. words
"""

TESTS = """
// R-AAA-1, trap 7
TEST(Suite, First) {}

// R-TRG-1 and what else
// traps 7, 9
TEST_F(LongSuiteName,
       Second) {}
"""


class TraceRequirements(unittest.TestCase):
    def trace(self, tests, *options, requirements=REQUIREMENTS):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "docs").mkdir()
            (root / "tests" / "room").mkdir(parents=True)
            (root / "docs" / "requirements.md").write_text(requirements)
            (root / "docs" / "traps.md").write_text(TRAPS)
            (root / "tests" / "room" / "a_test.cpp").write_text(tests)
            run = subprocess.run([sys.executable, str(TOOL), "--root", name, *options],
                                 capture_output=True, text=True)
            return run.returncode, run.stdout

    def test_a_statement_of_a_finished_section_needs_a_test_or_a_whole_mark(self):
        code, output = self.trace(TESTS, "--check")
        self.assertEqual((code, output), (1, "R-AAA-3: a third: no test and no mark\n"))

    def test_a_seed_statement_needs_a_test_even_if_another_rule_holds(self):
        replaced = REQUIREMENTS.replace("[host: php]\n\n## 3.8", "[replaced: decision 1]\n\n## 3.8")
        tests = TESTS + "\n// R-AAA-3\nTEST(S, T) {}\n"
        code, output = self.trace(tests, "--check", requirements=replaced)
        self.assertEqual((code, output),
                         (1, "R-AAA-4: proven by a host: no test and no mark\n"))

    def test_is_content_when_all_have_one(self):
        self.assertEqual(self.trace(TESTS + "\n// R-AAA-3\nTEST(S, T) {}\n", "--check"), (0, ""))

    def test_only_the_comment_directly_above_counts(self):
        code, output = self.trace("// R-AAA-1\n\nTEST(Suite, First) {}\n", "--missing")
        self.assertEqual(code, 0)
        self.assertIn("R-AAA-1", output)

    def test_a_trap_has_a_known_number(self):
        whole = TESTS + "\n// R-AAA-3\nTEST(S, T) {}\n"
        code, output = self.trace(whole + "// trap: it stops\nTEST(S, U) {}\n", "--check")
        self.assertEqual((code, output), (1, "tests/room/a_test.cpp:12: write `trap N`: a trap has a number in docs/traps.md\n"))
        code, output = self.trace(whole + "// traps 7, 8: it stops\nTEST(S, U) {}\n", "--check")
        self.assertEqual((code, output), (1, "tests/room/a_test.cpp:12: trap 8 is not in docs/traps.md\n"))
        self.assertEqual(self.trace(whole + "// a trap for signals: it stops\nTEST(S, U) {}\n", "--check"), (0, ""))

    def test_unknown_ids_and_ranges_are_errors(self):
        code, output = self.trace(TESTS + "// R-AAA-3, R-ZZZ-1\nTEST(S, T) {}\n", "--check")
        self.assertEqual(code, 1)
        self.assertIn("R-ZZZ-1 is not in docs/requirements.md", output)
        code, output = self.trace(TESTS + "// R-AAA-1..3\nTEST(S, T) {}\n", "--check")
        self.assertIn("no ranges", output)

    def test_lists_tests_by_file_line_and_name(self):
        _, output = self.trace(TESTS)
        self.assertIn("tests/room/a_test.cpp:3 Suite.First", output)
        self.assertIn("tests/room/a_test.cpp:7 LongSuiteName.Second", output)

    def test_lists_traps(self):
        _, output = self.trace(TESTS, "--traps")
        self.assertEqual(output.split("\n")[0], "trap 7")
        self.assertEqual(output.count("Second"), 2)


if __name__ == "__main__":
    unittest.main()
