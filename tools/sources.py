"""Which files of the repository the checks look at: those git knows or would add."""

import pathlib
import subprocess

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
