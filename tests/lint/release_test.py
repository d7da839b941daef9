#!/usr/bin/env python3
"""tools/release and tools/changes.py, on small repositories made here."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import changes  # noqa: E402

LOADER = importlib.machinery.SourceFileLoader("release", str(TOOLS / "release"))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", LOADER))
LOADER.exec_module(release)

FILES = {"CMakeLists.txt": "project(weft VERSION 0.2.0 LANGUAGES CXX)\n",
         "CHANGELOG.md": "# Changelog\n\nNewest first.\n",
         "changes/README.md": "How.\n", "changes/added/pool.md": "A pool\nof things.\n",
         "changes/fixed/leak.md": "- No leak.\n- And no crash.\n",
         "packaging/debian/control": "Source: weft\n\nPackage: libweft0.2\n",
         "tests/install/symbols.txt": "", ".gitignore": "build\n"}


class Repository(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)
        self.write(FILES)

    def write(self, files):
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)

    def git(self, *arguments):
        name = ["-c", "user.name=a", "-c", "user.email=a@b"]
        return subprocess.run(["git", *name, *arguments], cwd=self.root, check=True,
                              capture_output=True, text=True).stdout

    def commit(self):
        if not (self.root / ".git").exists():
            self.git("init", "--quiet")
            self.git("config", "user.name", "a")
            self.git("config", "user.email", "a@b")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "all")

    def ready(self):
        self.commit()
        made = release.Release(self.root)
        for name in ("tests", "portable", "install", "php", "docs"):
            made.mark(name)
        return made

    def to_do(self):
        """The names of the points that are not done, and all that is printed."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            count = release.Release(self.root).checklist()
        lines = [line for line in output.getvalue().splitlines() if line.startswith("TO DO")]
        self.assertEqual(count, len(lines))
        return [line.split("  ")[1].partition(":")[0] for line in lines], output.getvalue()


class Changes(Repository):
    def test_a_change_is_a_file_of_a_kind(self):
        self.assertEqual(changes.check(self.root), [])
        self.write({"changes/loose.md": "x\n", "changes/other/x.md": "x\n", "changes/added/empty.md": ""})
        errors = changes.check(self.root)
        self.assertEqual([error.partition(":")[0] for error in errors],
                         ["changes/added/empty.md", "changes/loose.md", "changes/other/x.md"])

    def test_a_section_has_the_kinds_in_order_and_one_item_a_change(self):
        self.write({"changes/breaking/name.md": "Another name.\n"})
        self.assertEqual(changes.section(self.root, "0.2.0", "2026-11-18"),
                         "## 0.2.0 (2026-11-18)\n\n### Breaking\n\n- Another name.\n\n### Added\n\n"
                         "- A pool\n  of things.\n\n### Fixed\n\n- No leak.\n- And no crash.\n")

    def test_links_of_a_change_lead_from_the_changelog(self):
        self.write({"changes/added/pool.md": "See [the pool](../../docs/pool.md).\n"})
        self.assertIn("- See [the pool](docs/pool.md).\n", changes.section(self.root, "0.2.0"))

    def test_gathering_moves_the_changes_above_earlier_versions(self):
        self.write({"CHANGELOG.md": "# Changelog\n\nNewest first.\n\n## 0.1.0 (2026-01-01)\n\n### Added\n\n- All.\n"})
        self.assertEqual(changes.gather(self.root, "0.2.0", "2026-11-18"), 2)
        text = (self.root / "CHANGELOG.md").read_text()
        self.assertEqual(changes.versions(text), ["0.2.0", "0.1.0"])
        self.assertTrue(text.startswith("# Changelog\n\nNewest first.\n\n## 0.2.0 (2026-11-18)\n\n### Added\n\n- A pool"))
        self.assertTrue(text.endswith("## 0.1.0 (2026-01-01)\n\n### Added\n\n- All.\n"))
        self.assertEqual(sum(map(len, changes.files(self.root).values())), 0)

    def test_gathering_again_adds_to_the_section_of_the_same_version(self):
        changes.gather(self.root, "0.2.0", "2026-11-18")
        self.write({"changes/added/more.md": "More.\n"})
        changes.gather(self.root, "0.2.0", "2026-11-19")
        text = (self.root / "CHANGELOG.md").read_text()
        self.assertEqual(changes.versions(text), ["0.2.0"])
        self.assertIn("## 0.2.0 (2026-11-19)\n\n### Added\n\n- A pool\n  of things.\n- More.\n\n### Fixed", text)


    def test_gathering_again_keeps_what_the_section_begins_with(self):
        self.write({"CHANGELOG.md": "# Changelog\n\n## 0.2.0 (not released yet)\n\nThe first\nrelease.\n\n### Fixed\n\n- All.\n"})
        changes.gather(self.root, "0.2.0", "2026-11-19")
        self.assertIn("## 0.2.0 (2026-11-19)\n\nThe first\nrelease.\n\n### Added\n\n- A pool",
                      (self.root / "CHANGELOG.md").read_text())

    def test_what_waits_can_be_read_before_a_release(self):
        before = (self.root / "CHANGELOG.md").read_text()
        text = changes.with_waiting(self.root, before + "\n## 0.1.0\n\n### Added\n\n- All.\n")
        self.assertIn("Newest first.\n\n## Not released yet\n\n### Added\n\n- A pool", text)
        self.assertTrue(text.endswith("- And no crash.\n\n## 0.1.0\n\n### Added\n\n- All.\n"))
        changes.gather(self.root, "0.2.0", "2026-11-18")
        self.assertEqual(changes.with_waiting(self.root, before), before)


class Checklist(Repository):
    def test_a_tree_that_is_ready_has_nothing_to_do(self):
        self.ready()
        self.assertEqual(self.to_do()[0], [])

    def test_what_was_not_run_on_this_commit_is_to_be_run(self):
        self.ready()
        self.commit()
        names, text = self.to_do()
        self.assertEqual(names, ["tests", "portable tests", "install tests", "PHP tests", "documentation"])
        for command in ("make test", "make test-portable", "make test-install", "make test-php MODE=quick",
                        "make docs"):
            self.assertIn(f"run `{command}`", text)

    def test_success_on_a_changed_tree_is_no_success(self):
        self.commit()
        self.write({"CMakeLists.txt": FILES["CMakeLists.txt"] + "# changed\n"})
        release.Release(self.root).mark("tests")
        names, text = self.to_do()
        self.assertIn("tests", names)
        self.assertIn("tree", names)
        self.assertIn("CMakeLists.txt", text)

    def test_versions_must_agree(self):
        self.write({"packaging/debian/changelog": "weft (0.1.0-1) unstable\n"})
        self.ready()
        names, text = self.to_do()
        self.assertEqual(names, ["Debian package"])
        self.assertIn("add an entry for 0.2.0", text)
        self.write({"packaging/debian/changelog": "weft (0.2.0-1) unstable\n"})
        self.ready()
        self.assertEqual(self.to_do()[0], [])

    def test_the_package_of_the_library_has_the_name_of_its_soname(self):
        self.write({"packaging/debian/control": "Package: libweft0.1\n"})
        self.ready()
        names, text = self.to_do()
        self.assertEqual(names, ["Debian package"])
        self.assertIn("no package libweft0.2", text)

    def test_a_version_is_released_once(self):
        self.ready()
        self.git("tag", "v0.2.0")
        self.assertEqual(self.to_do()[0], ["tag"])

    def test_a_release_needs_something_to_tell(self):
        for name in ("changes/added/pool.md", "changes/fixed/leak.md"):
            (self.root / name).unlink()
        self.ready()
        self.assertEqual(self.to_do()[0], ["changelog"])

    def test_a_breaking_change_needs_a_minor_version(self):
        self.write({"CHANGELOG.md": "# Changelog\n\n## 0.2.1\n\n### Added\n\n- All.\n",
                    "changes/breaking/name.md": "Another name.\n",
                    "CMakeLists.txt": "project(weft VERSION 0.2.2)\n"})
        self.ready()
        self.assertEqual(self.to_do()[0], ["changelog"])

    def test_a_change_without_a_kind_and_a_missing_list_of_symbols_are_found(self):
        self.write({"changes/loose.md": "x\n"})
        (self.root / "tests/install/symbols.txt").unlink()
        self.ready()
        self.assertEqual(self.to_do()[0], ["changes", "exported symbols"])


class Marks(unittest.TestCase):
    """Which commands of the Makefile say that they succeeded."""

    def commands(self, *arguments):
        return subprocess.run(["make", "--dry-run", "--silent", *arguments], cwd=TOOLS.parent, check=True,
                              capture_output=True, text=True).stdout

    def test_every_mark_of_the_list_is_set_by_the_command_that_it_asks_for(self):
        made = release.Release(TOOLS.parent)
        source = (TOOLS / "release").read_text()
        asked = dict(re.findall(r'check_mark\("(\w+)", "make ([^"]+)"\)', source))
        self.assertEqual(len(asked), len([name for name, _ in made.checks() if name in
                                          ("tests", "portable tests", "install tests", "PHP tests", "documentation")]))
        for mark, target in asked.items():
            self.assertIn(f"tools/release --mark {mark}\n", self.commands(*target.split()), target)

    def test_a_part_of_the_php_tests_sets_none(self):
        for arguments in ([], ["MODE=quick", "TESTS=php/tests/scope"], ["MODE=valgrind"]):
            self.assertNotIn("--mark", self.commands("test-php", *arguments), arguments)


class Run(Repository):
    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, TOOLS / "release", "--root", self.root, *arguments],
                              capture_output=True, text=True)

    def test_a_dry_run_changes_nothing(self):
        self.ready()
        self.assertEqual(self.run_tool("--dry-run").returncode, 0)
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("tag", "--list"), "")
        self.assertTrue((self.root / "changes/added/pool.md").exists())

    def test_a_release_gathers_commits_and_tags(self):
        self.ready()
        self.assertEqual(self.run_tool().returncode, 0)
        self.assertEqual(self.git("tag", "--list"), "v0.2.0\n")
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertIn("release: 0.2.0", self.git("log", "-1"))
        self.assertEqual(changes.versions((self.root / "CHANGELOG.md").read_text()), ["0.2.0"])

    def test_changes_can_be_gathered_before_the_release_which_adds_later_ones_and_the_date(self):
        self.commit()
        self.assertEqual(self.run_tool("--gather").returncode, 0)
        text = (self.root / "CHANGELOG.md").read_text()
        self.assertIn("## 0.2.0 (not released yet)\n\n### Added\n\n- A pool\n  of things.\n", text)
        self.assertFalse((self.root / "changes/added/pool.md").exists())
        self.assertEqual(self.git("tag", "--list"), "")
        self.write({"changes/added/more.md": "More.\n"})
        self.ready()
        self.assertEqual(self.to_do()[0], [])
        self.assertEqual(self.run_tool().returncode, 0)
        text = (self.root / "CHANGELOG.md").read_text()
        self.assertRegex(text, r"## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### Added\n\n- A pool\n  of things.\n- More.\n")
        self.assertEqual(text.count("## 0.2.0"), 1)

    def test_a_released_version_gathers_nothing_more(self):
        self.commit()
        self.git("tag", "v0.2.0")
        run = self.run_tool("--gather")
        self.assertEqual(run.returncode, 1)
        self.assertIn("v0.2.0 is released", run.stdout)
        self.assertTrue((self.root / "changes/added/pool.md").exists())

    def test_what_is_not_ready_is_not_released(self):
        self.commit()
        self.assertEqual(self.run_tool().returncode, 1)
        self.assertEqual(self.git("tag", "--list"), "")


if __name__ == "__main__":
    unittest.main()
