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
ROOMS = {"base": "nothing", "event": "`base`", "context": "`base`",
         "scheduler": "`base`, `event` and `context`",
         "reactor": "`base`,\n`event` and `scheduler/driver`", "testing": "every room"}


class CheckLayers(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            everything = {"tools/layers.txt": LAYERS, "src/base/a.hpp": ""}
            for header in ("event", "driver", "waker", "weft"):
                everything[f"include/weft/{header}.hpp"] = ""
            for room, words in ROOMS.items():
                everything[f"src/{room}/README.md"] = f"# {room}\n\nIt may include {words}.\n"
                everything[f"tests/{room}/a_test.cpp"] = ""
            for path, text in (everything | files).items():
                if text is None:
                    continue
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

    def test_a_forward_declaration_counts_like_an_include(self):
        waker = {"include/weft/waker.hpp": "class Waker final : public Event {\n};\n"}
        self.assertEqual(self.check(waker | {"src/event/x.hpp": "\nclass Waker;\n"}),
                         ["src/event/x.hpp:2: room event may not name Waker of room scheduler, which"
                          " include/weft/waker.hpp defines (tools/layers.txt)"])
        for naming in ("struct Waker;", "enum class Waker : int;", "namespace weft { class Waker;",
                       "void wake(class Waker& waker);", "  class Waker* waker_;"):
            self.assertEqual(len(self.check(waker | {"src/event/x.hpp": naming})), 1, naming)

    def test_a_friend_counts_like_an_include(self):
        waker = {"include/weft/waker.hpp": "class Waker {\n};\n"}
        for naming in ("  friend class Waker;", "  friend Waker;", "  friend class Waker<T>;",
                       "  friend class weft::Waker;", "  friend ::weft::Waker;",
                       "  friend struct detail::Waker;", "  friend class weft::detail::Waker<T>;"):
            self.assertEqual(len(self.check(waker | {"include/weft/event.hpp": naming})), 1, naming)

    def test_names_of_rooms_that_may_be_included_are_allowed(self):
        self.assertEqual(self.check({
            "include/weft/driver.hpp": "class Driver {\n};\n",
            "include/weft/waker.hpp": "class Event;\nclass Waker {\n  friend class Scheduler;\n};\n",
            "include/weft/event.hpp": "class Event {\n};\n",
            "src/scheduler/scheduler.hpp": "class Scheduler {\n};\n",
            "src/reactor/x.hpp": "class Driver;\nclass Reactor;\nclass Reactor {\n};\n"}), [])

    def test_nested_classes_and_comments_name_nothing(self):
        waker = {"include/weft/waker.hpp": "class Waker {\n  class Native {};\n};\n"}
        for innocent in ("  class Waker;", "// class Waker;", "  struct Native;", "class Stranger;",
                         "template <class Waker>", "namespace {\nclass Waker;\n}  // namespace"):
            self.assertEqual(self.check(waker | {"src/event/x.hpp": innocent}), [], innocent)

    def test_a_class_of_a_source_belongs_to_its_room(self):
        self.assertEqual(len(self.check({"src/scheduler/x.cpp": "class Loop {\n};\n",
                                         "src/event/x.hpp": "class Loop;\n"})), 1)

    def test_the_table_may_allow_a_file_to_name_a_class(self):
        waker = {"include/weft/waker.hpp": "class Waker {\n};\n", "src/event/x.hpp": "class Waker;\n"}
        allowed = LAYERS + "src/event/x.hpp | Waker  # why\n"
        self.assertEqual(self.check(waker | {"tools/layers.txt": allowed}), [])
        self.assertEqual(self.check({"src/event/x.hpp": "", "tools/layers.txt": allowed}),
                         ["tools/layers.txt: src/event/x.hpp need not be allowed to name Waker"])
        self.assertEqual(len(self.check({"tools/layers.txt": allowed})), 1)

    def test_a_room_has_a_readme_that_says_what_it_may_include(self):
        self.assertEqual(len(self.check({"src/event/README.md": None, "src/event/x.cpp": ""})), 1)
        self.assertEqual(len(self.check({"src/event/README.md": "# event\n"})), 1)
        self.assertEqual(self.check({"src/event/README.md": "It may include `base` and `context`.\n"}),
                         ['src/event/README.md: write "It may include `base`.", as tools/layers.txt says,'
                          " in any order"])

    def test_a_room_has_a_folder_of_tests(self):
        self.assertEqual(self.check({"tests/event/a_test.cpp": None}),
                         ["src/event/README.md: tests/event/ is missing: the tests mirror src/"])


if __name__ == "__main__":
    unittest.main()
