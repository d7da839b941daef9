"""Common code of the checks: the files of the repository, which git knows or would add, and the report
of complaints."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPP = (".cpp", ".hpp", ".h")
SKIPPED_DIRECTORIES = {"build", ".git", "__pycache__"}


def files(root=ROOT):
    """All files, as sorted paths relative to root."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root, capture_output=True, text=True)
    if listing.returncode == 0:
        paths = [pathlib.Path(name) for name in listing.stdout.split("\0") if name]
    else:  # an unpacked archive
        paths = [path.relative_to(root) for path in root.rglob("*")]
    return sorted({path for path in paths
                   if (root / path).is_file() and not SKIPPED_DIRECTORIES & set(path.parts)})


def cpp_files(root=ROOT):
    return [path for path in files(root) if path.suffix in CPP]


def changed():
    """The files that differ from where this branch left origin/main; None without such a ref."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)

    base = git("merge-base", "HEAD", "origin/main")
    if base.returncode != 0:
        return None
    names = git("diff", "--name-only", "--diff-filter=d", base.stdout.strip()).stdout
    names += git("ls-files", "--others", "--exclude-standard").stdout
    return {pathlib.Path(name) for name in names.split("\n") if name}


def checked_root():
    """The tree to check: the argument, or the one that contains the tool."""
    return pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT


def report(complaints):
    """Prints the complaints. Returns the exit code."""
    count = 0
    for count, complaint in enumerate(complaints, 1):
        print(complaint)
    return 1 if count else 0
