#!/usr/bin/env python3
"""Runs an example and compares what it prints with its `// Prints:` comment, and what it writes to standard error
with its `// Reports:` comment.

Usage: run_example.py SOURCE PROGRAM

The expected text is the comment lines after `// Prints:`, without their leading `//   `, up to the
first line that is no comment. An example without such a comment must only exit with 0. In a report, files are named
from the directory above that of the source.
"""

import difflib
import pathlib
import subprocess
import sys


def expected_output(source, heading="Prints"):
    """The text after the heading in the source, or None when there is none."""
    lines = iter(source.splitlines())
    for line in lines:
        if line.strip() == f"// {heading}:":
            break
    else:
        return None
    expected = []
    for line in lines:
        line = line.strip()
        if not line.startswith("//"):
            break
        text = line.removeprefix("//")
        expected.append(text.removeprefix("   ").rstrip())
    return "".join(line + "\n" for line in expected)


def is_as_expected(source_path, expected, text, what):
    actual = "".join(line.rstrip() + "\n" for line in text.splitlines())
    if expected is None or actual == expected:
        return True
    print(f"{source_path}: it does not {what} what its comment says")
    sys.stdout.writelines(difflib.unified_diff(
        expected.splitlines(True), actual.splitlines(True), "comment", "program"))
    return False


def main():
    source_path, program = sys.argv[1:3]
    with open(source_path, encoding="utf-8") as file:
        source = file.read()
    run = subprocess.run([program], capture_output=True, text=True, timeout=55)
    sys.stderr.write(run.stderr)
    if run.returncode != 0:
        print(f"{source_path}: exit code {run.returncode}")
        print(run.stdout, end="")
        return 1
    report = run.stderr.replace(f"{pathlib.Path(source_path).resolve().parent.parent}/", "")
    return 0 if (is_as_expected(source_path, expected_output(source), run.stdout, "print") and
                 is_as_expected(source_path, expected_output(source, "Reports"), report, "report")) else 1


if __name__ == "__main__":
    sys.exit(main())
