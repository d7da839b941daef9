"""Where a run took place: the machine, the compiler, the versions of the peers."""
import os
import pathlib
import platform
import subprocess

PACKAGES = {"Boost": "libboost-fiber1.81-dev", "libuv": "libuv1-dev", "Go": "golang-1.19-go",
            "node": "nodejs", "nginx": "nginx-light"}


def cpu_model():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def cache_entry(build, name):
    """A value of CMake's cache; empty when unknown."""
    try:
        for line in (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith(name + ":"):
                return line.split("=", 1)[1]
    except OSError:
        pass
    return ""


def first_line(*command):
    """The first line of a command's output; empty if the command cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return (done.stdout.splitlines() or [""])[0].strip()


def installed_version(package):
    """The version of a Debian package; empty if dpkg does not know it."""
    return first_line("dpkg-query", "-W", "-f", "${Version}", package)


def describe(build, core):
    """The part of the results that describes the machine."""
    compiler = cache_entry(build, "CMAKE_CXX_COMPILER")
    versions = {name: installed_version(package) for name, package in PACKAGES.items()}
    return {
        "machine": {"cpu": cpu_model(), "cores": os.cpu_count(),
                    "system": f"{platform.system()} {platform.release()}", "pinned_core": core},
        "compiler": (first_line(compiler, "--version") if compiler else "") or "unknown",
        "build_type": cache_entry(build, "CMAKE_BUILD_TYPE") or "unknown",
        "versions": {name: version for name, version in versions.items() if version},
    }


def sentence(results):
    """The description of the machine as text for bench/README.md."""
    machine = results["machine"]
    core = machine["pinned_core"]
    parts = [results["date"], f"{machine['cpu']}, {machine['cores']} cores", machine["system"],
             f"{results['compiler']}, {results['build_type']}",
             *(f"{name} {version}" for name, version in results["versions"].items()),
             f"{results['rounds']} rounds{', short ones' if results['quick'] else ''}, "
             + (f"pinned to core {core}" if core is not None else "**not pinned**")]
    return "; ".join(parts) + "." + "".join(f" {note[0].upper()}{note[1:]}."
                                            for note in results["notes"])
