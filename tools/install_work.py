"""Helpers of tools/test_install: commands that fail with a text, and directories in build/install/."""

import os
import pathlib
import shutil
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "install"
OUTPUT_LINES = 40  # shown of a failed command


class Failed(Exception):
    """A failure, with a text for the reader."""


def run(*command, cwd=ROOT, env=None, timeout=900, check=True):
    """Runs a command; its output, or Failed with the end of it."""
    code, output = outcome(*command, cwd=cwd, env=env, timeout=timeout)
    if check and code != 0:
        end = "\n".join(output.rstrip().splitlines()[-OUTPUT_LINES:])
        raise Failed(f"{' '.join(str(word) for word in command)}: exit code {code}\n{end}")
    return output


def outcome(*command, cwd=ROOT, env=None, timeout=900):
    """Runs a command; its exit code and its output."""
    command = [str(word) for word in command]
    try:
        child = subprocess.Popen(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 env={**os.environ, **(env or {})}, start_new_session=True)
    except FileNotFoundError:
        raise Failed(f"{command[0]} is missing: run tools/setup --install") from None
    try:
        output, _ = child.communicate(timeout=timeout)
    except BaseException as error:
        os.killpg(child.pid, signal.SIGKILL)  # with all that it started
        child.wait()
        if isinstance(error, subprocess.TimeoutExpired):
            raise Failed(f"{' '.join(command)}: not done after {timeout} s") from None
        raise
    return child.returncode, output


def require(holds, text):
    if not holds:
        raise Failed(text)


def fresh(name):
    directory = WORK / name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory
