#!/usr/bin/env python3
"""Checks that calls only Linux has appear in the sources of the Linux backend, src/*/linux/, alone.

All other sources use the interfaces of the backend (base/system_calls.hpp and others), so that a build with
WEFT_PORTABLE needs libuv and POSIX only.

Tests that only the Linux backend can pass are few, and listed in docs/backends.md.

Usage: check_portable.py [ROOT]
"""

import pathlib
import re
import sys

import sources

LINUX_ONLY = re.compile(
    r"\b(?:"
    # Calls.
    r"epoll_\w+|timerfd_\w+|eventfd\w*|pidfd_\w+|signalfd\w*|inotify_\w+|fanotify_\w+|io_uring\w*"
    r"|accept4|pipe2|dup3|sendfile|splice|tee|vmsplice|copy_file_range|memfd_create|prctl|gettid"
    r"|sched_[gs]etaffinity|sched_getcpu|pthread_[gs]etaffinity_np|ppoll|recvmmsg|sendmmsg|syscall"
    r"|posix_spawn_file_actions_addclosefrom_np|getrandom|close_range|mremap"
    # Their constants.
    r"|SYS_\w+|EPOLL\w+|TFD_\w+|EFD_\w+|PIDFD_\w+|SFD_\w+|P_PIDFD|SOCK_CLOEXEC|SOCK_NONBLOCK"
    r"|MADV_(?:GUARD\w*|NOHUGEPAGE|DONTNEED|FREE)|MAP_NORESERVE|MAP_STACK|CPU_(?:ZERO|SET|ISSET)"
    r"|SO_PROTOCOL|IPPROTO_MPTCP|__linux__)\b"
    # Places and headers.
    r"|/proc/|/sys/(?!\w+\.h>)|<linux/"
    r"|<sys/(?:epoll|timerfd|eventfd|pidfd|signalfd|inotify|sendfile|prctl|syscall|random)\.h>")
# `splice` of a list, `tee` of a variable: only the calls of the system are meant.
MEMBER = re.compile(r"(?:\.|->)\s*$")
WORDS_OF_OTHERS = {"splice", "tee"}
HEADER = re.compile(r"^\s*#\s*include\s*<")


LINUX_TEST = re.compile(r"^TEST(?:_F)?\(((?:RealTime)?Linux\w*), (\w+)\)", re.MULTILINE)
LIST = pathlib.Path("docs/backends.md")
MOST_LINUX_TESTS = 15


def code_of(line):
    """The line without its comment; texts stay, because paths are in them."""
    return re.sub(r"(?<!:)//.*", "", line)


def is_of_linux_alone(path):
    """The bridge is built with the Linux backend only."""
    return path.parts[:2] == ("src", "bridge")


def is_backend(path):
    return path.parts[0] == "src" and "linux" in path.parts[2:-1]


def complaints(path, text):
    for number, line in enumerate(text.splitlines(), start=1):
        code = code_of(line)
        for found in LINUX_ONLY.finditer(code):
            word = found.group(0)
            if HEADER.match(code) and not word.startswith("<"):
                continue
            if word in WORDS_OF_OTHERS and MEMBER.search(code[:found.start()]):
                continue
            yield (f"{path}:{number}: {word} is for Linux only: it belongs behind an interface of the"
                   f" backend, in src/<room>/linux/")


def check_tests(root):
    """Checks that the tests for Linux alone are those of the list."""
    found = {".".join(names) for path in sources.cpp_files(root) if path.parts[0] == "tests"
             for names in LINUX_TEST.findall((root / path).read_text(encoding="utf-8"))}
    text = (root / LIST).read_text(encoding="utf-8") if (root / LIST).exists() else ""
    listed = set(re.findall(r"^\| `(\w+\.\w+)` \|", text, re.MULTILINE))
    errors = [f"{LIST}: {name} is missing in the list" for name in sorted(found - listed)]
    errors += [f"{LIST}: there is no test {name}" for name in sorted(listed - found)]
    if len(found) > MOST_LINUX_TESTS:
        errors.append(f"{LIST}: {len(found)} tests of Linux alone are more than {MOST_LINUX_TESTS}")
    return errors


def check(root):
    errors = check_tests(root)
    for path in sources.cpp_files(root):
        if path.parts[0] in ("src", "include") and not is_backend(path) \
                and not is_of_linux_alone(path):
            errors += complaints(path, (root / path).read_text(encoding="utf-8"))
    for path in sources.cpp_files(root):  # the two backends have the same files
        if is_backend(path) and path.suffix == ".cpp":  # a header of one is its own
            other = pathlib.Path(*("portable" if part == "linux" else part for part in path.parts))
            if not (root / other).exists():
                errors.append(f"{path}:1: {other} is missing: each backend has its own source")
    return errors


def main():
    return sources.report(check(sources.checked_root()))


if __name__ == "__main__":
    sys.exit(main())
