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


if __name__ == "__main__":
    unittest.main()
