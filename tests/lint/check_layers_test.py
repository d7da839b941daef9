#!/usr/bin/env python3
"""tools/check_layers.py finds what it should, on small trees made here."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402

LAYERS = """
base      |
event     | base
context   | base
scheduler | base event context
reactor   | base event scheduler/driver
testing   | all
weft/event.hpp  | event
weft/driver.hpp | scheduler
weft/waker.hpp  | scheduler
weft/weft.hpp   | all
"""


class CheckLayers(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            everything = {"tools/layers.txt": LAYERS, "src/base/a.hpp": ""}
            for header in ("event", "driver", "waker", "weft"):
                everything[f"include/weft/{header}.hpp"] = ""
            for path, text in (everything | files).items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return check_layers.check(root)

    def test_accepts_what_the_table_allows(self):
        self.assertEqual(self.check({
            "src/scheduler/x.cpp": '#include <vector>\n#include "event/e.hpp"\n#include "weft/event.hpp"\n',
            "src/reactor/x.cpp": '#include <uv.h>\n#include "scheduler/driver.hpp"\n#include "weft/driver.hpp"\n',
            "src/context/context.cpp": "#include <boost/context/detail/fcontext.hpp>\n",
            "src/testing/x.cpp": '#include "reactor/r.hpp"\n#include "weft/weft.hpp"\n',
            "include/weft/weft.hpp": '#include "weft/event.hpp"\n#include "weft/waker.hpp"\n',
        }), [])

    def test_names_file_line_and_rooms(self):
        self.assertEqual(self.check({"src/event/x.cpp": '\n#include "scheduler/waker.hpp"\n'}),
                         ["src/event/x.cpp:2: room event may not include room scheduler"
                          " (tools/layers.txt)"])

    def test_a_public_header_is_bound_by_its_room(self):
        self.assertEqual(len(self.check({"include/weft/event.hpp": '#include "weft/waker.hpp"\n'})), 1)
        self.assertEqual(len(self.check({"src/reactor/x.cpp": '#include "weft/waker.hpp"\n'})), 1)
        self.assertEqual(len(self.check({"include/weft/event.hpp": '#include "event/e.hpp"\n'})), 1)
        self.assertEqual(len(self.check({"include/weft/event.hpp": "#include <uv.h>\n"})), 1)
        self.assertEqual(len(self.check({"include/weft/event.hpp": "#include <boost/asio.hpp>\n"})), 1)
        self.assertEqual(len(self.check({"src/event/x.cpp": '#include "weft/weft.hpp"\n'})), 1)

    def test_foreign_headers_have_their_rooms(self):
        self.assertEqual(len(self.check({"src/event/x.cpp": "#include <uv.h>\n"})), 1)
        self.assertEqual(len(self.check({
            "src/context/guard.cpp": "#include <boost/context/fiber.hpp>\n"})), 1)
        self.assertEqual(len(self.check({"src/base/x.cpp": "#include <dlfcn.h>\n"})), 1)

    def test_an_include_names_its_room(self):
        self.assertEqual(len(self.check({"src/event/x.cpp": '#include "x.hpp"\n'})), 1)

    def test_unknown_rooms_and_headers_are_errors(self):
        self.assertEqual(len(self.check({"src/attic/x.cpp": ""})), 1)
        self.assertEqual(len(self.check({"include/weft/new.hpp": ""})), 1)


if __name__ == "__main__":
    unittest.main()
