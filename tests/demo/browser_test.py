#!/usr/bin/env python3
"""Opens the demo's page in headless Chromium and uses it; see browser/browser_test.mjs.

Usage: browser_test.py DEMO FOLDER

FOLDER gets the packages that drive the browser, and demo.png, a picture of the page. Exits with 77 if
Chromium, node or npm is missing.
"""

import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent / "browser"
FILES = ("package.json", "package-lock.json", ".npmrc")


def prepare(folder):
    """Installs the packages of the lock file, unless they are installed."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "installed.json"
    wanted = (HERE / "package-lock.json").read_bytes()
    if done.exists() and done.read_bytes() == wanted:
        return
    for name in FILES:
        shutil.copy(HERE / name, folder)
    subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=folder, check=True,
                   stdin=subprocess.DEVNULL, timeout=120)
    done.write_bytes(wanted)


def main():
    demo, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    found = {name: shutil.which(name) for name in ("chromium", "node", "npm")}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        print(f"needs {', '.join(missing)} (tools/setup installs them)")
        return SKIPPED
    prepare(folder)
    return subprocess.run([found["node"], HERE / "browser_test.mjs", pathlib.Path(demo).resolve(),
                           found["chromium"], folder / "demo.png"], cwd=folder, check=False,
                          timeout=60).returncode


if __name__ == "__main__":
    sys.exit(main())
