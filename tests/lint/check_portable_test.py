#!/usr/bin/env python3
"""tools/check_portable.py finds what it should, on small trees made here."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_portable  # noqa: E402


class CheckPortable(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return check_portable.check(root)

    def test_calls_and_constants_belong_to_the_backend(self):
        for line in ("::epoll_wait(a, b, 1, 0);", "::timerfd_create(0, 0);", "::eventfd(0, 0);",
                     "syscall(SYS_pidfd_open, 1, 0);", "::accept4(a, b, c, 0);", "::pipe2(a, 0);",
                     "::madvise(a, 1, MADV_GUARD_INSTALL);", "type | SOCK_CLOEXEC;",
                     "#if defined(__linux__)", "#include <sys/epoll.h>", "#include <linux/errqueue.h>",
                     'std::fopen("/proc/self/status", "re");', "::splice(a, b);"):
            with self.subTest(line=line):
                self.assertGreaterEqual(len(self.check({"src/io/x.cpp": line})), 1)
                self.assertGreaterEqual(len(self.check({"include/weft/x.hpp": line})), 1)
                self.assertEqual(self.check({"src/io/linux/x.cpp": line,
                                             "src/io/portable/x.cpp": ""}), [])

    def test_names_file_line_and_call(self):
        self.assertEqual(self.check({"src/io/x.cpp": "\n::pipe2(a, 0);\n"}),
                         ["src/io/x.cpp:2: pipe2 is for Linux only: it belongs behind an interface"
                          " of the backend, in src/<room>/linux/"])

    def test_leaves_what_is_meant_otherwise_alone(self):
        self.assertEqual(self.check({
            "src/io/x.cpp": "list.splice(a, b);  // no epoll_wait here\n#include <sys/types.h>\n",
            "tests/io/x_test.cpp": "::epoll_wait(a, b, 1, 0);\n"}), [])

    def test_tests_of_linux_alone_are_listed(self):
        test = {"tests/io/x_test.cpp": "TEST(LinuxThing, Works) {}\n"}
        self.assertEqual(len(self.check(test)), 1)
        self.assertEqual(self.check(test | {"docs/backends.md": "| `LinuxThing.Works` | why |\n"}), [])
        self.assertEqual(len(self.check({"docs/backends.md": "| `LinuxThing.Works` | why |\n"})), 1)
        many = "".join(f"TEST(LinuxThing, Works{i}) {{}}\n" for i in range(16))
        rows = "".join(f"| `LinuxThing.Works{i}` | why |\n" for i in range(16))
        self.assertEqual(len(self.check({"tests/io/x_test.cpp": many, "docs/backends.md": rows})), 1)

    def test_each_backend_has_its_own_source(self):
        self.assertEqual(len(self.check({"src/io/linux/x.cpp": ""})), 1)


if __name__ == "__main__":
    unittest.main()
