#!/usr/bin/env python3
"""tools/exports.py finds what no program can refer to, in small headers made here."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import exports  # noqa: E402

HEADER = """
namespace weft {
class [[nodiscard]] Runtime final : public Base<int> {
 public:
  explicit Runtime(int size = {});
  void tick();
  template <class F> void call(F f) { for_templates(f); }
 protected:
  void for_derived();
 private:
  struct Parts;
  struct Known { int x; };
  void work(Runtime& other) noexcept;  // work() is named in a comment
  void for_templates(int);
  virtual void in_the_table();
  void overridden() override;
};
namespace detail {
struct Shared {
  void through_a_class_that_derives();
 private:
  void of_its_own();
};
struct Core {
  int of_the_inside() const;
  enum class State { begun, ended };
};
}
template <class T> class Channel : public Counted<T>, public detail::Shared {};
}
"""


class Tree(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)
        (self.root / "include/weft").mkdir(parents=True)
        (self.root / "cmake").mkdir()
        (self.root / "include/weft/a.hpp").write_text(HEADER)

    def hide(self, *lines):
        (self.root / "cmake/weft_hidden.txt").write_text("# why\n" + "".join(f"{line}\n" for line in lines))


class Headers(Tree):
    def needless(self, *symbols):
        headers = exports.Headers(self.root)
        return [headers.unneeded(symbol) for symbol in symbols]

    def test_members_and_tables_of_a_class_without_a_definition_are_needless(self):
        self.assertEqual(self.needless("_ZN4weft7Runtime5PartsC1Ei", "_ZN4weft7Runtime5Parts3runEv",
                                       "_ZTVN4weft7Runtime5PartsE", "_ZThn16_N4weft7Runtime5Parts3runEv",
                                       "_ZN4weft7Runtime5Parts5Inner3runEv"), ["weft::Runtime::Parts::*"] * 5)

    def test_private_members_and_those_of_the_inside_are_needless(self):
        self.assertEqual(self.needless("_ZN4weft7Runtime4workERS0_", "_ZNK4weft6detail4Core13of_the_insideEv"),
                         ["weft::Runtime::work", "weft::detail::Core::of_the_inside"])

    def test_members_of_a_base_of_the_inside_are_needed_unless_they_are_private(self):
        self.assertEqual(self.needless("_ZN4weft6detail6Shared28through_a_class_that_derivesEv",
                                       "_ZN4weft6detail6Shared10of_its_ownEv"), ["", "weft::detail::Shared::of_its_own"])

    def test_what_programs_or_templates_call_is_needed(self):
        self.assertEqual(self.needless("_ZN4weft7RuntimeC1Ei", "_ZN4weft7Runtime4tickEv", "_ZTVN4weft7RuntimeE",
                                       "_ZN4weft7Runtime11for_derivedEv", "_ZN4weft7Runtime13for_templatesEi",
                                       "_ZN4weft7Runtime5KnownC1Ei", "_ZN4weft3runEv", "_ZTIN4weft6detail4CoreE",
                                       "weft_spawn", "_ZN4weft7CountedINS_7RuntimeEE3addEv"), [""] * 10)

    def test_virtual_functions_are_needed_by_classes_that_derive(self):
        self.assertEqual(self.needless("_ZN4weft7Runtime12in_the_tableEv", "_ZN4weft7Runtime10overriddenEv"), ["", ""])


class List(Tree):
    def test_it_may_hide_only_what_no_program_can_refer_to(self):
        self.hide("weft::Runtime::Parts::*", "weft::Runtime::work")
        self.assertEqual(exports.check(self.root), [])
        for needed in ["weft::Runtime::for_templates", "weft::Runtime::gone", "weft::Runtime::Known::*"]:
            self.hide(needed)
            self.assertEqual(exports.check(self.root),
                             [f"cmake/weft_hidden.txt: a program may refer to {needed}, or there is no such name: "
                              "remove the line"])

    def test_it_is_sorted(self):
        self.hide("weft::Runtime::work", "weft::Runtime::Parts::*")
        self.assertEqual(exports.check(self.root), ["cmake/weft_hidden.txt: the lines are not sorted"])


class Library(Tree):
    def library(self, *lines):
        source, made = self.root / "a.s", self.root / "liba.so"
        source.write_text(".text\n" + "".join(f".{kind} {name}\n{name}: ret\n" for kind, name in lines)
                          + '.section .note.GNU-stack,"",@progbits\n')
        subprocess.run(["gcc", "-shared", "-nostdlib", "-o", made, source], check=True)
        return made

    def test_weak_symbols_of_classes_that_no_header_defines_are_found(self):
        inside = ["_ZN4weft9Scheduler3runEv", "_ZN4weft7Runtime5PartsC1Ei", "_ZTVN4weft9SchedulerE"]
        library = self.library(*(("weak", name) for name in inside), ("globl", "_ZN4weft9Scheduler4stopEv"),
                               ("weak", "_ZN4weft7Runtime4tickEv"), ("weak", "_ZN4weft3runEv"),
                               ("weak", "_ZTVN4weft6detail4CoreE"), ("weak", "_ZNSt6vectorIiE4sizeEv"))
        self.assertEqual(exports.weak_of_the_inside(self.root, library), sorted(inside))

    def test_of_the_others_what_no_program_can_refer_to_is_unneeded(self):
        library = self.library(("weak", "_ZN4weft7Runtime5PartsC1Ei"), ("globl", "_ZN4weft7Runtime4workERS0_"))
        self.assertEqual(exports.unneeded(self.root, library), ["weft::Runtime::work"])


class Script(Tree):
    """cmake/WeftHide.cmake, on an object with every kind of symbol."""

    def test_what_the_list_names_becomes_local_and_nothing_else(self):
        self.hide("weft::Runtime::Parts::*", "weft::Runtime::work")
        names = ["_ZN4weft7Runtime4workEv", "_ZN4weft7Runtime5workuEv", "_ZN4weft7Runtime5PartsC1Ei",
                 "_ZTVN4weft7Runtime5PartsE", "_ZThn8_N4weft7Runtime5Parts1fEv", "_ZN4weft7Runtime4tickEv"]
        assembler = "".join(f".globl {name}\n{name}: .byte 0\n" for name in names)
        source, made = self.root / "a.s", self.root / "a b.o"
        source.write_text(assembler)
        subprocess.run(["as", "-o", made, source], check=True)
        (self.root / "objects").write_text(f"{self.root}/x.gch\n{made}\n")
        (self.root / "map").write_text("NODE {\n  global:\n    _ZN4weft*;\n  local:\n    *;\n};\n")
        subprocess.run(["cmake", "-DNM=nm", f"-DLIST={self.root}/cmake/weft_hidden.txt", f"-DMAP={self.root}/map",
                        f"-DOBJECTS={self.root}/objects", f"-DSCRIPT={self.root}/script",
                        "-P", ROOT / "cmake" / "WeftHide.cmake"], check=True)
        local = (self.root / "script").read_text().partition("  local:\n")[2]
        self.assertEqual(sorted(local.split("*;")[0].strip().strip(";").split("; ")),
                         sorted([names[0], names[2], names[3], names[4]]))
        self.assertIn("    *;\n};", local)


if __name__ == "__main__":
    unittest.main()
