#!/usr/bin/env python3
"""Runs an example and compares what it prints with its `// Prints:` comment.

Usage: run_example.py SOURCE PROGRAM

The expected text is the comment lines after `// Prints:`, without their leading `//   `, up to the
first line that is no comment. An example without such a comment must only exit with 0.
"""

import difflib
import subprocess
import sys


def expected_output(source):
    """The text after `// Prints:` in the source, or None when there is none."""
    lines = iter(source.splitlines())
    for line in lines:
        if line.strip() == "// Prints:":
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


def main():
    source_path, program = sys.argv[1:3]
    with open(source_path, encoding="utf-8") as file:
        expected = expected_output(file.read())
    run = subprocess.run([program], capture_output=True, text=True, timeout=55)
    sys.stderr.write(run.stderr)
    if run.returncode != 0:
        print(f"{source_path}: exit code {run.returncode}")
        print(run.stdout, end="")
        return 1
    actual = "".join(line.rstrip() + "\n" for line in run.stdout.splitlines())
    if expected is not None and actual != expected:
        print(f"{source_path}: it does not print what its comment says")
        sys.stdout.writelines(difflib.unified_diff(
            expected.splitlines(True), actual.splitlines(True), "comment", "program"))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
