"""A copy of the tree, for the patches of tools/mutate and tools/without."""

import os
import pathlib
import shutil
import subprocess

import sources


def git_apply(directory, patch, *options):
    """Applies a patch whose lines may have moved, with full context; returns the error."""
    # The copy lies inside the repository: git must not take it for a part of that.
    environment = dict(os.environ, GIT_CEILING_DIRECTORIES=str(directory.parent))
    run = subprocess.run(["git", "apply", *options, str(patch)], cwd=directory, env=environment,
                         capture_output=True, text=True)
    return run.stderr.strip() if run.returncode else ""


class Copy:
    """A copy of the present tree, and its build."""

    def __init__(self, root, name, preset):
        self.root = root
        self.path = root / "build" / name
        self.preset = preset
        self.build_directory = pathlib.Path("build") / preset

    def renew(self):
        """Reverts the patch, and copies files that have changed in the tree."""
        wanted = set(sources.files(self.root))
        for name in wanted:
            source, target = self.root / name, self.path / name
            if not target.exists() or source.read_bytes() != target.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        for target in self.path.rglob("*"):
            name = target.relative_to(self.path)
            if target.is_file() and name.parts[0] != "build" and name not in wanted:
                target.unlink()

    def run(self, *command, seconds=None):
        return subprocess.run([str(part) for part in command], cwd=self.path, text=True, timeout=seconds,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def build(self, targets, jobs):
        """The error of the build, or nothing."""
        if not (self.path / self.build_directory / "build.ninja").exists():
            configured = self.run("cmake", "--preset", self.preset, "-DWEFT_PLANTED=OFF",
                                  "-DWEFT_UNITY=OFF")
            if configured.returncode != 0:
                return configured.stdout
        built = self.run("cmake", "--build", self.build_directory, "--parallel", jobs, "--target", *targets)
        return built.stdout if built.returncode != 0 else ""
