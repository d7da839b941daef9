#!/usr/bin/env python3
"""Rules about words in files: macros, includes, shells, paths of one machine, subjects without a name,
names that were given up, and documents that are not in the repository.

Usage: check_words.py [ROOT]
"""

import pathlib
import re
import sys

import sources

# WEFT_ASSERT, WEFT_PROBE, WEFT_PLANTED; what base/sanitizer-like headers and the version define.
# C has no default arguments: functions of its header are macros that add the place of the call.
MACROS = {"WEFT_ASSERT", "WEFT_FOR_SIBLINGS", "WEFT_NO_PLACES", "WEFT_PROBE", "WEFT_PLANTED"}
MACRO_HEADERS = ("abi.hpp", "sanitizer.hpp", "version.hpp")

DEFINE = re.compile(r"^\s*#\s*define\s+(\w+)")
PARENT_INCLUDE = re.compile(r'^\s*#\s*include\s*["<][^">]*\.\./')
# The bridge has these calls of other libraries as its subject.
SHELL = re.compile(r"\b(?:std::system|popen)\s*\(|(?<![\w:.>])system\s*\(")
USING = re.compile(r"\busing\s+namespace\s+weft\b")
# Where a checkout happens to lie on one machine; in pieces, or this file would find itself.
MACHINE_PATH = re.compile("(?<![\\w.}])/(?:" + "|".join(["work", "home", "root"]) + r")/\w")

# The subject of a sentence is a class or has a name (docs/style.md).
NAMELESS = re.compile(r"\b(?:(?:no|some|any|every)body|no one|(?:some|any|every)one|whom?(?:so)?ever)\b",
                      re.IGNORECASE)
NAMELESS_WHO = re.compile(r"\b[Ww]ho (?:waits|was|is)\b")
# The same in a name: AWriteThatNobodyReads, CloseWakesWhoWaits, send_to_nobody.
NAMELESS_NAME = re.compile(r"\b\w*(?:(?:(?<![A-Z])(?:No|Some|Any|Every)body|NoOne|(?:Some|Any|Every)one|Who(?:ever|(?=[A-Z])))"
                           r"(?![a-z])|_(?:(?:no|some|any|every)body|whoever)(?![a-z]))\w*")
# These pages quote the words they forbid.
QUOTING = {pathlib.Path(name) for name in (
    "docs/style.md", "tools/check_words.py", "tests/lint/check_words_test.py")}

# Names that a reader had to decode, and what they are called now. The first ones are no words of any text.
RETIRED = {
    r"Settled(?=\s*<)": "Result",
    r"ThreadHouse": "RuntimeThreadState",
    r"Rescues?(?=\b[^ ]| [&*{:a-z_]+)": "DeadlockHook",
    r"CoroutineExtras|extras_?(?=\(|\b->)": "ColdState, cold_state()",
    r"detail::(?:Turns?|Holder)": "StreamLock, LockOwner",
    r"ReadyFace": "HintEvent",
    r"HeardSignal": "SignalUse",
    r"CoreBell|RemoteBell|ChildBell": "CoreTrigger, RemoteTrigger, ChildWakeup",
    r"the_long_way": "slow_path",
    r"\w+_with_care": "a name that ends in _slow",
    r"tell_\w+": "a name that begins with notify or warn",
    r"settle_(?:rendezvous|upward|here)": "match_rendezvous, update_ancestors, update_parent",
    r"errand\w*": "background_op, borrowed_call",
    r"seat_\w+|\w+_seat": "add_active_wait, acquire_slot",
    r"(?:stand|wait|offer)_in_line": "wait_in_queue, offer_in_queue",
    r"\w*outwait": "cancel_and_join",
    r"lifted_": "ignores_protection_",
    r"can_be_had": "is_available",
    r"this_holder": "this_lock_owner",
    r"(?:\w+Tells?|Tells?(?=[A-Z])|\w*(?:(?:Is|Are)Told|HearsOf|HeardOf))(?![a-z])\w*": "a name with Notifies, Reports or Receives",
}
RETIRED_NAME = re.compile("|".join(f"(?P<r{i}>\\b(?:{old})(?!\\w))" for i, old in enumerate(RETIRED)))
# Words of English that were names of functions; testing::settle() is the one that stays.
RETIRED_CALLS = {
    "settle": "match_waiters", "look": "poll_now", "attend": "run_due_work", "insist": "cancel_again",
    "hear": "receive_from", "tell": "notify", "happen": "complete", "happened": "on_ready", "told": "on_ready",
    "rescue": "on_deadlock", "shut": "close", "quit": "remove_stream", "let_go": "release",
    "part": "detach", "sit": "add", "rise": "remove",
}
RETIRED_CALL = re.compile(r"\b(" + "|".join(RETIRED_CALLS) + r")\(")
RETIRED_IN_TEXT = re.compile(r"`(" + "|".join(name for name in RETIRED_CALLS if name != "settle") + r")\(\)`")
# Where such a word is another name: testing::settle(), a parameter that is called, the water of an example.
OTHER_NAMES = {
    "settle": {pathlib.Path("include/weft/testing.hpp"), pathlib.Path("src/testing/run.cpp")},
    "part": {pathlib.Path("src/bridge/transfer.hpp")},
    "rise": {pathlib.Path("examples/events.cpp")},
}
# Where retired names are looked for, and what is spared: history, and the tests of this tool.
RENAMED = ("src", "include", "docs", "tests", "bench", "examples", "php", "tools")
SPARED = (("docs", "adr"), ("tests", "lint"))

# What is said here is found here.
ELSEWHERE = re.compile(
    r"\bfounding documents?\b|\berrat(?:um|a)\b|\bdecisions? \d+|\bissues? #?\d+|"
    r"\b(?:decisions|design|api|runtime|reliability|speed|peers|php-stock|php-host)\.md\b", re.IGNORECASE)


def is_code(path):
    return path.suffix in sources.CPP


def is_ours(path):
    """Whether the file is text of the project, not of a package or a picture."""
    return path.name != "package-lock.json" and path.suffix != ".patch"


def retired_call(path, line):
    if not is_code(path):
        return RETIRED_IN_TEXT.search(line)
    return next((call for call in RETIRED_CALL.finditer(line.split("//")[0])
                 if path not in OTHER_NAMES.get(call.group(1), ()) and
                 (path.parts[0] != "tests" or call.group(1) != "settle")), None)


def word_complaints(path, number, line):
    at = f"{path}:{number}:"
    if path in QUOTING or not is_ours(path):
        return
    nameless = NAMELESS.search(line) or NAMELESS_NAME.search(line) or NAMELESS_WHO.search(line)
    if nameless:
        yield f"{at} `{nameless.group()}` has no name: say which class, coroutine or caller it is"
    elsewhere = ELSEWHERE.search(line)
    if elsewhere and path.parts[:2] != ("tests", "lint"):
        yield f"{at} `{elsewhere.group()}` is not in the repository: say it here, or link the page that does"
    if path.parts[0] not in RENAMED or path.parts[:2] in SPARED:
        return
    retired = RETIRED_NAME.search(line)
    if retired:
        yield f"{at} `{retired.group()}` was renamed: {list(RETIRED.values())[int(retired.lastgroup[1:])]}"
    call = retired_call(path, line)
    if call:
        yield f"{at} `{call.group(1)}()` was renamed, for example to {RETIRED_CALLS[call.group(1)]}()"


def complaints(path, text):
    for number, line in enumerate(text.splitlines(), start=1):
        at = f"{path}:{number}:"
        yield from word_complaints(path, number, line)
        if MACHINE_PATH.search(line):
            yield f"{at} no absolute path of a machine"
        if USING.search(line) and (path.parts[0] in ("docs", "examples") or path.suffix == ".md"):
            yield f"{at} documentation never shows `using namespace weft`"
        if not is_code(path):
            continue
        define = DEFINE.match(line)
        if define and path.parts[0] in ("src", "include", "examples"):
            name = define.group(1)
            of_c = path.name == "weft.h" and name.startswith("weft_")
            if name not in MACROS and path.name not in MACRO_HEADERS and not of_c:
                yield f"{at} no macro but {', '.join(sorted(MACROS))} and those of sanitizer.hpp"
        if PARENT_INCLUDE.match(line):
            yield f'{at} include "room/x.hpp", never ../'
        if "bridge" not in path.parts and SHELL.search(line.split("//")[0]):
            yield f"{at} no system() and no popen(): a shell is an injection waiting to happen"


def main():
    root = sources.checked_root()
    found = []
    for path in sources.files(root):
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        found += complaints(path, text)
    return sources.report(found)


if __name__ == "__main__":
    sys.exit(main())
