#!/usr/bin/env python3
"""tools/check_walk.py finds what it should, on small trees made here."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import check_walk  # noqa: E402
import cpp_definitions  # noqa: E402
import trace_walk  # noqa: E402

HEAD = "| step | where | function | what happens |\n| --- | --- | --- | --- |\n"
SOURCE = """
namespace weft {
void Scheduler::wake(Coroutine& coroutine) noexcept { enqueue(coroutine); }
void delay(int ms) { await(ms); }
}
"""


def page(rows, limits="Files: 1 of at most 1; changes: 0 of at most 0"):
    table = "".join(f"| {i} | `{where}` | {function} | it goes on |\n"
                    for i, (where, function) in enumerate(rows, start=1))
    return f"# The walk\n\n## A delay\n\n{limits}\n\n{HEAD}{table}"


class Tree(unittest.TestCase):
    def tree(self, text, files=None):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for path, content in ({"src/a.cpp": SOURCE, "docs/walk.md": text} | (files or {})).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(content)
        return root

    def check(self, text, files=None):
        return check_walk.check(self.tree(text, files))


class CheckWalk(Tree):
    def test_accepts_functions_that_the_file_defines(self):
        self.assertEqual(self.check(page([("src/a.cpp", "`delay`, `Scheduler::wake`, after the switch")])), [])
        self.assertEqual(self.check(page([("src/a.cpp", "`weft::delay`")])), [])
        self.assertEqual(self.check(page([("src/a.cpp", "`weft::Scheduler::wake(Coroutine&)`")])), [])

    def test_a_call_is_no_definition(self):
        self.assertEqual(
            self.check(page([("src/a.cpp", "`await`")]), {"include/weft/b.hpp": "void await(int) {}\n"}),
            ["docs/walk.md:9: step 1: src/a.cpp mentions `await`, but does not define it; "
             "include/weft/b.hpp does"])

    def test_a_declaration_is_no_definition(self):
        self.assertEqual(
            self.check(page([("src/b.hpp", "`delay`")]), {"src/b.hpp": "void delay(int ms);\n"}),
            ["docs/walk.md:9: step 1: src/b.hpp mentions `delay`, but does not define it; "
             "src/a.cpp does"])

    def test_an_unknown_function(self):
        self.assertEqual(self.check(page([("src/a.cpp", "`sleep`")])),
                         ["docs/walk.md:9: step 1: src/a.cpp knows no `sleep`"])

    def test_a_member_is_named_with_its_class(self):
        self.assertEqual(self.check(page([("src/a.cpp", "`wake`")])),
                         ["docs/walk.md:9: step 1: `wake` is a member: write `Scheduler::wake`"])
        self.assertEqual(
            self.check(page([("src/a.cpp", "`Waker::wake`")])),
            ["docs/walk.md:9: step 1: src/a.cpp does not define `Waker::wake`, but `Scheduler::wake`"])

    def test_a_file_that_does_not_exist(self):
        self.assertEqual(self.check(page([("src/gone.cpp", "`delay`")])),
                         ["docs/walk.md:9: step 1: the file src/gone.cpp does not exist"])

    def test_a_row_names_one_file_and_a_function(self):
        text = page([("src/a.cpp", "delay")]) + "| 2 | `src/a.cpp`, `src/b.cpp` | `delay` | x |\n| 3 | x |\n"
        self.assertEqual(self.check(text), [
            "docs/walk.md:9: step 1: name a function in backticks in the column `function`",
            "docs/walk.md:10: step 2: name one file in backticks in the column `where`",
            "docs/walk.md:11: a row of a walk has 4 cells, this one has 2",
            'docs/walk.md:3: "A delay" has limits, but no table with the columns '
            "step | where | function | what happens"])

    def test_counts_files_and_changes_in_order(self):
        files = {"src/b.cpp": "void b() {}\n"}
        rows = [("src/a.cpp", "`delay`"), ("src/b.cpp", "`b`"), ("src/b.cpp", "`b`"), ("src/a.cpp", "`delay`")]
        self.assertEqual(self.check(page(rows, "Files: 2 of at most 2; changes: 2 of at most 2"), files), [])
        self.assertEqual(
            self.check(page(rows, "Files: 1 of at most 9; changes: 2 of at most 14"), files),
            ['docs/walk.md:5: "A delay" has 2 files and 2 changes of file, the text says 1 and 2; '
             "--write puts that right"])

    def test_limits_are_not_exceeded(self):
        files = {"src/b.cpp": "void b() {}\n"}
        rows = [("src/a.cpp", "`delay`"), ("src/b.cpp", "`b`")]
        self.assertEqual(
            self.check(page(rows, "Files: 2 of at most 1; changes: 1 of at most 0"), files),
            ['docs/walk.md:5: "A delay" has 2 files, at most 1 are allowed',
             'docs/walk.md:5: "A delay" has 1 changes of file, at most 0 are allowed'])

    def test_a_walk_has_limits(self):
        self.assertEqual(
            self.check(page([("src/a.cpp", "`delay`")], "")),
            ['docs/walk.md:3: "A delay" has no limits: write below the heading '
             '"Files: 1 of at most 1; changes: 0 of at most 0"'])
        self.assertEqual(len(self.check(page([("src/a.cpp", "`delay`")], "Files: 1"))), 2)

    def test_the_columns_are_the_four(self):
        text = page([("src/a.cpp", "`delay`")]).replace("| what happens |", "| why |")
        self.assertIn("docs/walk.md:7: the columns of a walk are: step | where | function | what happens",
                      self.check(text))
        text = page([("src/a.cpp", "`delay`")]).replace("| where |", "| where (file) |")
        self.assertEqual(self.check(text), [])

    def test_each_walk_counts_for_itself(self):
        one = page([("src/a.cpp", "`delay`")])
        self.assertEqual(self.check(one + "\nSome words.\n\n" + one.replace("A delay", "A send")), [])

    def test_a_page_without_a_walk_is_an_error(self):
        self.assertEqual(len(self.check("# The walk\n\nNothing.\n")), 1)

    def test_code_of_the_page_is_not_read_as_a_table(self):
        text = page([("src/a.cpp", "`delay`")])
        self.assertEqual(self.check(text + "\n```\n| step | other |\nFiles: many\n```\n"), [])

    def test_write_puts_the_counted_numbers_in_and_keeps_the_limits(self):
        root = self.tree(page([("src/a.cpp", "`delay`")], "Files: 7 of at most 9; changes: 3 of at most 14"))
        tool = [sys.executable, TOOLS / "check_walk.py"]
        self.assertEqual(subprocess.run([*tool, root], capture_output=True).returncode, 1)
        self.assertEqual(subprocess.run([*tool, "--write", root]).returncode, 0)
        self.assertIn("Files: 1 of at most 9; changes: 0 of at most 14\n",
                      (root / "docs/walk.md").read_text())


class Places(Tree):
    def check_line(self, line):
        return self.check(page([("src/a.cpp", "`delay`")]), {"docs/performance.md": f"# Tricks\n{line}\n"})

    def test_functions_are_in_the_file_named_before_them(self):
        self.assertEqual(self.check_line("- **Where**: `src/a.cpp` `delay`, `Scheduler::wake`"), [])
        self.assertEqual(self.check_line("- **Where**: `src/a.cpp` `delay`, `sleep`"),
                         ["docs/performance.md:2: src/a.cpp knows no `sleep`"])
        self.assertEqual(self.check_line("- **Where**: `delay` in `src/a.cpp`"),
                         ["docs/performance.md:2: name a file in backticks before `delay`"])
        self.assertEqual(self.check_line("- **Where**: `src/gone.cpp` `delay`"),
                         ["docs/performance.md:2: the file src/gone.cpp does not exist"])

    def test_other_lines_are_free(self):
        self.assertEqual(self.check_line("`sleep` is elsewhere"), [])

    def test_a_member_that_is_named_elsewhere_exists(self):
        for name in ("Scheduler::wake", "weft::Scheduler::wake(Coroutine&)", "std::push_heap", "src/a.cpp",
                     "Mode::quick"):
            self.assertEqual(self.check(page([("src/a.cpp", "`delay`")]) + f"\nSee `{name}`.\n",
                                        {"src/b.hpp": "enum class Mode : char { slow = 1, quick };\n"}), [], name)
        self.assertEqual(self.check_line("So does `Scheduler::sleep`."),
                         ["docs/performance.md:2: no file of include/ or src/ defines `Scheduler::sleep`"])
        self.assertEqual(self.check_line("```\n`Scheduler::sleep`\n```"), [])

    def test_a_member_that_is_named_in_a_walk_exists(self):
        text = page([("src/a.cpp", "`delay`")])
        said = "docs/walk.md:{}: no file of include/ or src/ defines `Waker::gone`"
        self.assertEqual(self.check(text + "\nThen `Waker::gone`.\n"), [said.format(11)])
        self.assertEqual(self.check(text.replace("it goes on", "then `Waker::gone`")), [said.format(9)])


class Definitions(unittest.TestCase):
    def names(self, text):
        return [found.name for found in cpp_definitions.definitions(text)]

    def test_free_functions_and_members(self):
        self.assertEqual(self.names("""
            namespace weft { namespace { int helper() { return 1; } }
            [[gnu::noinline]] void Waker::happened(const std::exception_ptr& error) noexcept { f(); }
            __attribute__((no_stack_protector)) void* Scheduler::pick(void* place) { return place; }
            extern "C" void hook(int) {}
            }"""), ["weft::helper", "weft::Waker::happened", "weft::Scheduler::pick", "weft::hook"])

    def test_members_in_their_class(self):
        self.assertEqual(self.names("""
            class Waiter : public Event {
             public:
              explicit Waiter(const char* what) noexcept : what_{what}, owner_(f({1})) { set(); }
              ~Waiter() override { leave(); }
              void leave() noexcept;
              virtual void wait() = 0;
              Waiter(const Waiter&) = delete;
              bool operator()(int) const { return true; }
              explicit operator bool() const { return b; }
              friend bool operator==(const Waiter& a, const Waiter& b) { return &a == &b; }
             private:
              enum class Kind : int { a, b };
              int x_{3}, y_ = f([] { return 4; });
              struct Node { void link() {} Node* next = nullptr; };
            };"""), ["Waiter::Waiter", "Waiter::~Waiter", "Waiter::operator()", "Waiter::operator bool",
                     "Waiter::operator==", "Waiter::Node::link"])

    def test_templates(self):
        self.assertEqual(self.names("""
            template <class T, bool small = (sizeof(T) < 8)>
            class Channel : public Base<T> { void send(T&& value) { put(std::move(value)); } };
            template <class T>
            class Channel<T>::Iterator { void next() {} };
            template <class T>
            T Channel<T>::recv(Token token) { return token < 3 ? a : b; }
            template <std::invocable F>
            auto spawn(F&& body) -> Coroutine<std::invoke_result_t<F>> { return {}; }
            template <class R>
            requires ByteLike<R> && (!std::is_const_v<R>)
            Bytes(R&& range) : Bytes{std::data(range)} {}
            """), ["Channel::send", "Channel::Iterator::next", "Channel::recv", "spawn", "Bytes"])

    def test_bodies_and_initialisers_are_skipped(self):
        self.assertEqual(self.names("""
            constexpr int table[] = {1, 2};
            const auto twice = [](int x) { return call(x); };
            std::vector<int> numbers{f(1), 2};
            void (*handler)(int){nullptr};
            // void comment() {}
            #define MACRO(x) void x() {}
            const char* text = "void text() {"; char brace = '{'; long many = 1'000;
            void outer() { struct Local { ~Local() {} } local; auto f = [&] { g(); }; }
            """), ["outer"])

    def test_a_default_is_a_definition(self):
        self.assertEqual(self.names("Ref::~Ref() = default;\nRef::Ref() = delete;\n"), ["Ref::~Ref"])

    def test_labels_in_assembly(self):
        self.assertEqual(self.names('asm(R"(\nweft_resume:\n  ret\n.size weft_park, .-weft_park\n)");\n'),
                         ["weft_resume", "weft_park"])

    def test_first_and_last_line(self):
        found, = cpp_definitions.definitions("\ntemplate <class T>\nvoid f(T) {\n  g();\n}\n")
        self.assertEqual((found.line, found.last), (2, 5))

    def test_brackets_that_do_not_match_are_an_error(self):
        with self.assertRaises(ValueError):
            cpp_definitions.definitions("void f() { (")

    def test_every_file_of_the_library_can_be_read(self):
        root = TOOLS.parent
        for folder in ("include", "src"):
            for path in sorted((root / folder).rglob("*.?pp")):
                with self.subTest(path=path):
                    cpp_definitions.definitions(path.read_text(encoding="utf-8"))


class TraceWalk(unittest.TestCase):
    def test_names_of_the_debug_information(self):
        for signature, name in (
                ("weft::delay(weft::TimeSpan, weft::Place)", "weft::delay"),
                ("weft::(anonymous namespace)::is_there(weft::Event const&)", "weft::is_there"),
                ("weft::Ref<weft::Timer>::operator->() const", "weft::Ref::operator->"),
                ("auto weft::spawn<main::{lambda()#1}>(main::{lambda()#1}, int)", "weft::spawn"),
                ("weft::AnyCoroutine::operator bool() const", "weft::AnyCoroutine::operator bool")):
            with self.subTest(signature=signature):
                self.assertEqual(trace_walk.plain_name(signature), name)

    def test_what_the_tables_leave_out(self):
        lines = ["## A delay", "`a`", f"## {trace_walk.LEFT_OUT}", "- `b`, `src/c.hpp`", "## On", "`d`"]
        self.assertEqual(trace_walk.left_out(lines), {"b", "src/c.hpp"})


if __name__ == "__main__":
    unittest.main()
