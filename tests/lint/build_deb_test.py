#!/usr/bin/env python3
"""tools/build_deb stops with one line where it cannot build, and takes no site of other sources."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
LOADER = importlib.machinery.SourceFileLoader("build_deb", str(TOOLS / "build_deb"))
build_deb = importlib.util.module_from_spec(importlib.util.spec_from_loader("build_deb", LOADER))
LOADER.exec_module(build_deb)


class Tree(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)

    def write(self, name, text, age):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (1e9 - age, 1e9 - age))

    def said(self, function, *arguments):
        with self.assertRaises(build_deb.Failed) as raised:
            function(*arguments)
        return str(raised.exception)


class KnownFiles(Tree):
    def test_outside_of_a_clone_it_says_to_run_it_in_one(self):
        outside = dict(os.environ, GIT_CEILING_DIRECTORIES=str(self.root.parent))
        code = ("import importlib.machinery, pathlib, sys\n"
                "module = importlib.machinery.SourceFileLoader('build_deb', sys.argv[1]).load_module()\n"
                "module.known_files(pathlib.Path(sys.argv[2]))")
        run = subprocess.run([sys.executable, "-W", "ignore", "-c", code, TOOLS / "build_deb", self.root], env=outside,
                             capture_output=True, text=True)
        self.assertIn("run it in a clone of the repository", run.stderr.splitlines()[-1])

    def test_in_a_clone_it_gives_the_files_that_git_knows(self):
        self.write("known", "", 0)
        self.write("unknown", "", 0)
        for command in (["init", "--quiet"], ["add", "known"]):
            subprocess.run(["git", *command], cwd=self.root, check=True)
        self.assertEqual(build_deb.known_files(self.root), ["known"])

    def test_without_git_it_says_what_to_install_in_one_line(self):
        empty = self.root / "empty"
        empty.mkdir()
        run = subprocess.run([sys.executable, TOOLS / "build_deb"], env={"PATH": str(empty)}, capture_output=True,
                             text=True)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertIn("please install", run.stderr)
        self.assertIn(" git ", run.stderr)


class Site(Tree):
    def check(self):
        return build_deb.check_site(["docs/a.md", "src/b.cpp"], self.root / "html", self.root)

    def test_a_site_of_these_files_is_taken(self):
        self.write("docs/a.md", "", 20)
        self.write("src/b.cpp", "", 0)
        self.assertFalse(self.check())
        self.write("html/index.html", "", 10)
        self.write("html/objects.inv", f"# Sphinx inventory version 2\n# Project: weft\n# Version: {build_deb.version()}\n", 10)
        self.assertTrue(self.check())

    def test_a_site_of_another_version_is_refused(self):
        self.write("html/index.html", "", 10)
        self.write("html/objects.inv", "# Sphinx inventory version 2\n# Project: weft\n# Version: 0.0.1\n", 10)
        self.assertIn(f"is not of version {build_deb.version()}: run make docs", self.said(self.check))

    def test_a_site_that_is_older_than_a_page_is_refused(self):
        self.test_a_site_of_these_files_is_taken()
        self.write("docs/a.md", "", 5)
        self.assertIn("is older than docs/a.md: run make docs", self.said(self.check))


if __name__ == "__main__":
    unittest.main()
