#!/usr/bin/env python3
"""tools/check_doors.py finds what it should, on small trees made here."""

import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_doors  # noqa: E402

ABI = '#include "weft/detail/abi.hpp"\n'
UMBRELLA = "include/weft/weft.hpp"
PAGE = "docs/guide/headers.md"


def row(header):
    return f"| [`weft/{header}`](../../include/weft/{header}) | what it is for |\n"


GOOD = {
    UMBRELLA: f'#pragma once\n\n{ABI}\n#include "weft/channel.hpp"\n',
    "include/weft/channel.hpp": ABI,
    "include/weft/asio.hpp": ABI,
    "include/weft/extend/event.hpp": ABI,
    "include/weft/detail/abi.hpp": "",
    "include/weft/detail/channel_base.hpp": "",
    "include/weft/c/weft.h": ABI,
    PAGE: row("weft.hpp") + row("channel.hpp") + row("asio.hpp") + row("extend/event.hpp")
    + row("c/weft.h"),
}


class CheckDoors(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, text in (GOOD | files).items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return check_doors.check(root)

    def check_header(self, text):
        return self.check({"include/weft/channel.hpp": ABI + "namespace weft {\n" + text + "\n}\n"})

    def test_accepts_what_is_in_order(self):
        self.assertEqual(self.check({
            "examples/a.cpp": "#include <weft/weft.hpp>\n#include <weft/extend/event.hpp>\n"}), [])

    def test_programs_include_and_name_nothing_of_detail(self):
        for path in ("examples/a.cpp", "examples/demo/a.hpp", "tests/install/consumer/main.cpp",
                     "tests/host/a_test.cpp", "php/src/classes/a.hpp"):
            for line in ("#include <weft/detail/channel_base.hpp>", "weft::detail::ChannelBase base;"):
                with self.subTest(path=path, line=line):
                    self.assertEqual(len(self.check({path: line + "\n"})), 1)

    def test_no_interface_is_inherited_from_detail(self):
        for text, count in (
                ("class Group : public detail::Tasks {\n};", 1),
                ("template <class T>\nclass Group final\n    : public Event, public detail::Tasks<T> {\n};", 1),
                ("class Group : public Tasks {\n};", 0),
                ("class Group : private detail::Tasks {\n};", 0),
                ("template <class T>\nclass Channel : public detail::ChannelBase {\n};", 0),
                ("template <class T>\nclass Channel<T>::Iterator : public detail::TakingIterator<Iterator, T> {\n};", 0)):
            with self.subTest(text=text):
                self.assertEqual(len(self.check_header(text)), count)

    def test_code_of_the_guide_is_a_program(self):
        page = "`weft/detail/` is private.\n\n```cpp\n#include <weft/{}.hpp>\n```\n"
        for header, count in (("channel", 0), ("detail/channel_base", 1)):
            with self.subTest(header=header):
                self.assertEqual(
                    len(self.check({"docs/guide/channels.md": page.format(header)})), count)

    def test_tests_of_weft_itself_may_use_detail(self):
        self.assertEqual(
            self.check({"tests/io/a_test.cpp": "#include <weft/detail/channel_base.hpp>\n"}), [])

    def test_a_signature_that_users_see_names_no_detail(self):
        for text in ("void f(detail::A& a);", "detail::A f();", "auto f() -> detail::A;",
                     "template <class T>\nvoid f(detail::A<T> a) {}",
                     "template <class T>\nrequires IsA<T> && (sizeof(T) > 1) detail::A f(T v) {}",
                     "template <class T>\nrequires(!is_a<T>) void f(detail::A<T> a) {}",
                     "class C { public: explicit C(detail::A a) : a_{a} {} };",
                     "struct S { const detail::A& a() const; };",
                     "class C { public: class D { public: void f(weft::detail::A a); }; };"):
            with self.subTest(text=text):
                self.assertEqual(len(self.check_header(text)), 1)

    def test_a_variable_that_users_see_names_no_detail(self):
        for text in ("inline constexpr detail::A a{};", "inline constexpr const detail::A& b = a;",
                     "extern detail::A a;", "struct S { std::optional<detail::A> a = {}; };",
                     "struct S { detail::A a{1}; };", "class C { public: static constexpr detail::A a = 1; };",
                     "class Mailbox;\nstruct S { Mailbox* mailbox = nullptr; };"):
            with self.subTest(text=text):
                self.assertEqual(len(self.check_header(text)), 1)
        for text in ("inline constexpr int a = detail::b;", "struct S { int a = detail::b<int>; };",
                     "class C { detail::A a_; };", "class Mailbox;", "template <class T>\nclass Mailbox;",
                     "static_assert(detail::a<int>);", "enum class Kind : std::uint8_t;",
                     "class C { protected: detail::A a_; void f(detail::A a); };"):
            with self.subTest(text=text):
                self.assertEqual(self.check_header(text), [])

    def test_protected_members_of_extend_are_seen(self):
        for text, count in (("class C { protected: virtual void f(detail::A a); };", 1),
                            ("class Mailbox;\nclass C { protected: Mailbox* mailbox() const; };", 1),
                            ("class C { protected: detail::A a_; };", 1),
                            ("class C { virtual void f(detail::A a); detail::A a_; };", 0),
                            ("class C { protected: class D { void f(detail::A a); }; };", 0)):
            with self.subTest(text=text):
                self.assertEqual(len(self.check({"include/weft/extend/event.hpp": ABI + text})), count)

    def test_an_alias_hides_no_type_of_detail(self):
        for text, count in (("class C { public: using A = detail::A<int>; const A& a() const; };", 1),
                            ("template <class T>\nusing A = std::vector<detail::A<T>>;\nA<int> f();", 1),
                            ("using A = detail::A;\nusing B = A;\nstruct S { B b; };", 1),
                            ("class C { public: using A = detail::A; private: A a_; void f(A a); };", 0),
                            ("using A = std::vector<int>;\nA f();", 0)):
            with self.subTest(text=text):
                self.assertEqual(len(self.check_header(text)), count)

    def test_the_list_of_wanted_names_allows_them_as_long_as_they_are_there(self):
        text = "class C { public: using Base = detail::A; Base& base() const; };"
        with unittest.mock.patch.dict(check_doors.WANTED, {("channel.hpp", "Base"): "why"}, clear=True):
            self.assertEqual(self.check_header(text), [])
            self.assertEqual(self.check_header("int f();"), [
                "include/weft/channel.hpp:1: no signature names Base: tools/check_doors.py need not allow it"])

    def test_names_file_and_line(self):
        self.assertEqual(self.check_header("int g();\nvoid f(detail::A a);"),
                         ["include/weft/channel.hpp:4: a signature that users see names a type of"
                          " detail: deduce it, or give it a public name"])

    def test_what_users_do_not_see_may_name_detail(self):
        for text in ("class C { void f(detail::A a); };",
                     "class C { public: int f(); private: detail::A a(); detail::A a_; };",
                     "class C { class D { public: explicit D(detail::A a); }; };",
                     "class C : detail::A { public: C() : detail::A{1} {} };",
                     "class C { friend class detail::A; };",
                     "using Name = detail::A;",
                     "template <class T, class = detail::IsA<T>>\nvoid f(T value);",
                     "template <class T>\nrequires detail::IsA<T>\nvoid f(T value) {}",
                     "template <class T>\nrequires(!detail::a<T>) && detail::B<T> auto f(T v) {}",
                     "auto f() { return detail::A{}; }",
                     "inline void f() { detail::g(); }",
                     "namespace detail { void f(detail::A a); }"):
            with self.subTest(text=text):
                self.assertEqual(self.check_header(text), [])

    def test_a_signature_that_users_see_names_no_class_of_src(self):
        said = ("include/weft/channel.hpp:4: a signature that users see names Mailbox, which no header"
                " defines")
        self.assertEqual(self.check_header("class Mailbox;\nvoid f(Mailbox& m);"), [said])
        for text in ("class Mailbox;\nclass C { friend class Mailbox; Mailbox* m_; void f(Mailbox& m); };",
                     "class Mailbox;\nvoid f(Mailbox& m);\nclass Mailbox {};"):
            with self.subTest(text=text):
                self.assertEqual(self.check_header(text), [])
        self.assertEqual(self.check({"include/weft/channel.hpp": ABI + "class Event;\nvoid f(Event& e);\n",
                                     "include/weft/extend/event.hpp": ABI + "class Event {\n};\n"}), [])

    def test_headers_to_extend_are_as_strict(self):
        self.assertEqual(len(self.check({"include/weft/extend/event.hpp": ABI + "void f(detail::A a);"})), 1)

    def test_detail_may_name_itself(self):
        self.assertEqual(
            self.check({"include/weft/detail/channel_base.hpp": "void f(detail::A a);"}), [])

    def test_what_detail_defines_is_in_its_namespace(self):
        header = "include/weft/detail/channel_base.hpp"
        for text, count in (("namespace weft {\nclass Scope;\n}\nnamespace weft::detail {\nclass A {};\n}\n", 0),
                            ("template <>\nclass std::hash<weft::A> {};\n", 0),
                            ("namespace weft {\nclass A {};\n}\n", 1),
                            ("namespace weft {\ninline int f() { return 1; }\n}\n", 1)):
            with self.subTest(text=text):
                self.assertEqual(len(self.check({header: text})), count)

    def test_a_public_header_begins_with_what_stops_a_compiler(self):
        for header in ("channel.hpp", "extend/event.hpp", "c/weft.h"):
            for text, count in ((ABI, 0), ("// Why.\n" + ABI + "#include <vector>\n", 0), ("", 1),
                                ("#include <vector>\n" + ABI, 1), ('#include "weft/time.hpp"\n', 1)):
                with self.subTest(header=header, text=text):
                    self.assertEqual(len(self.check({f"include/weft/{header}": text})), count)

    def test_weft_hpp_exports_the_public_headers_only(self):
        self.assertEqual(len(self.check({UMBRELLA: ABI})), 1)
        for more in ("asio.hpp", "extend/event.hpp", "detail/channel_base.hpp", "channel.hpp"):
            with self.subTest(more=more):
                self.assertEqual(
                    len(self.check({UMBRELLA: GOOD[UMBRELLA] + f'#include "weft/{more}"\n'})), 1)

    def test_the_page_has_every_header_that_programs_use(self):
        for header in ("channel.hpp", "asio.hpp", "extend/event.hpp", "c/weft.h"):
            with self.subTest(header=header):
                self.assertEqual(len(self.check({PAGE: GOOD[PAGE].replace(row(header), "")})), 1)

    def test_the_page_has_each_header_once_and_no_other(self):
        for header in ("channel.hpp", "gone.hpp"):
            with self.subTest(header=header):
                self.assertEqual(len(self.check({PAGE: GOOD[PAGE] + row(header)})), 1)
        self.assertGreaterEqual(
            len(self.check({PAGE: GOOD[PAGE] + row("detail/channel_base.hpp")})), 1)

    def test_there_is_no_fourth_door(self):
        self.assertGreaterEqual(len(self.check({"include/weft/other/a.hpp": ""})), 1)


if __name__ == "__main__":
    unittest.main()
