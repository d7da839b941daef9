#!/usr/bin/env python3
"""tools/check_words.py finds what it should, in lines made here."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_words  # noqa: E402


def check(path, *lines):
    return list(check_words.complaints(pathlib.Path(path), "\n".join(lines) + "\n"))


class Subjects(unittest.TestCase):
    def test_a_subject_without_a_name_is_found_in_comments_texts_and_pages(self):
        said = "docs/guide/a.md:2: `Nobody` has no name: say which class, coroutine or caller it is"
        self.assertEqual(check("docs/guide/a.md", "# A page", "Nobody waits."), [said])
        for line in ("// whoever waits", 'warn("nobody used it");', "/// Wakes everyone.", "# for anybody", "no one else",
                     "// wakes who waits", "Who was woken has not run yet."):
            self.assertEqual(len(check("tests/io/a_test.cpp", line)), 1, line)
        for path in ("src/bridge/a.cpp", "php/README.md"):
            self.assertEqual(len(check(path, "// wakes who waits")), 1, path)

    def test_a_name_that_contains_such_a_word_is_found_too(self):
        for line in ("TEST(IoTest, WakesNobody) {", "TEST(IoTest, WhoeverReadsIsWoken) {",
                     "TEST(IoTest, CloseWakesWhoWaits) {", "void send_to_nobody();"):
            self.assertEqual(len(check("tests/io/a_test.cpp", line)), 1, line)

    def test_other_words_are_none(self):
        self.assertEqual(check("tests/io/a_test.cpp", "TEST(IoTest, WakesNoCoroutine) {", "TEST(IoTest, ReadsTheWholeFile) {", "// every one of them", "// none"), [])

    def test_the_page_about_words_may_quote_them(self):
        self.assertEqual(check("docs/style.md", "No nobody, no erratum, no ThreadHouse."), [])


class Names(unittest.TestCase):
    def test_a_retired_name_does_not_come_back(self):
        self.assertEqual(check("src/threads/a.cpp", "ThreadHouse house;"),
                         ["src/threads/a.cpp:1: `ThreadHouse` was renamed: RuntimeThreadState"])
        self.assertEqual(check("src/scheduler/a.cpp", "  park_with_care(me);"),
                         ["src/scheduler/a.cpp:1: `park_with_care` was renamed: a name that ends in _slow"])
        for line in ("Settled<int> all;", "class Rescue {", "tell_awaiters();", "extras().name", "detail::Turns reading_;",
                     "void errand_begins() {", "cancel_and_outwait(c);", "coroutine.lifted_ = true;", "take_seat();"):
            self.assertEqual(len(check("include/weft/a.hpp", line)), 1, line)

    def test_a_retired_function_is_found_and_the_word_is_not(self):
        self.assertEqual(check("src/reactor/a.cpp", "  look();  // a look (or two)"),
                         ["src/reactor/a.cpp:1: `look()` was renamed, for example to poll_now()"])
        self.assertEqual(check("src/reactor/a.cpp", "// settle (all), attend (to it)", "outlook();"), [])

    def test_tests_benchmarks_and_examples_have_no_retired_names_either(self):
        for path in ("tests/io/a_test.cpp", "bench/weft/a.cpp", "examples/a.cpp"):
            self.assertEqual(check(path, "crowd.look(5s);"),
                             [f"{path}:1: `look()` was renamed, for example to poll_now()"])
        self.assertEqual(check("tests/lint/a_test.py", "ThreadHouse"), [])

    def test_tools_have_no_retired_names(self):
        self.assertEqual(check("tools/a.py", "# the ThreadHouse"),
                         ["tools/a.py:1: `ThreadHouse` was renamed: RuntimeThreadState"])

    def test_a_word_may_be_another_name_in_one_file(self):
        for line in ("part();", "descriptor.sit(waiter);", "waiter.rise();"):
            self.assertEqual(len(check("src/reactor/a.cpp", line)), 1, line)
        self.assertEqual(check("src/bridge/transfer.hpp", "return part(done);"), [])
        self.assertEqual(check("examples/events.cpp", "level.rise(5);"), [])

    def test_what_tests_are_told_is_what_they_are_notified_of(self):
        for line in ("TEST(PollTest, TellsWhatHappened) {", "TEST(PollTest, IsToldOfTheEnd) {",
                     "TEST(PollTest, ClosesBeforeItTells) {", "TEST(PollTest, IsHeardOf) {"):
            self.assertEqual(len(check("tests/io/a_test.cpp", line)), 1, line)

    def test_a_page_names_no_retired_function(self):
        self.assertEqual(check("docs/guide/events.md", "Call `look()` after a change, or have a look."),
                         ["docs/guide/events.md:1: `look()` was renamed, for example to poll_now()"])
        self.assertEqual(check("docs/guide/testing.md", "`testing::settle()`, `settle()`"), [])

    def test_settle_stays_in_testing(self):
        self.assertEqual(check("include/weft/testing.hpp", "void settle();"), [])
        self.assertEqual(check("tests/io/a_test.cpp", "weft::testing::settle();", "settle();"), [])
        self.assertEqual(len(check("tests/io/a_test.cpp", "settle(); look();")), 1)
        self.assertEqual(len(check("src/concurrency/a.cpp", "settle();")), 1)

    def test_ordinary_words_are_no_retired_names(self):
        self.assertEqual(check("docs/a.md", "Settled tasks; the rescue of a seat; he told her."), [])


class Documents(unittest.TestCase):
    def test_a_document_elsewhere_is_found(self):
        for line in ("as decision 12 says", "see the founding documents", "an erratum", "issue 7", "`decisions.md`"):
            found = check("docs/a.md", line)
            self.assertEqual(len(found), 1, line)
            self.assertIn("is not in the repository", found[0])

    def test_pages_of_the_repository_are_not(self):
        self.assertEqual(check("docs/a.md", "[ADR 12](adr/0012-x.md), [traps](traps.md), R-EVT-1, trap 28"), [])


class Code(unittest.TestCase):
    def test_macros_parents_shells_and_machines_are_found(self):
        for line in ("#define WEFT_NEW 1", '#include "../a.hpp"', 'std::system("ls");', "// see /" + "home/me"):
            self.assertEqual(len(check("src/io/a.cpp", line)), 1, line)
        self.assertEqual(check("src/io/a.cpp", "#define WEFT_PROBE(x)", "file_system(x);"), [])


if __name__ == "__main__":
    unittest.main()
