"""A minimal Debian 12 in a directory, in which packages can be installed: for tools/test_install."""

import os
import shutil
import socket
import subprocess

from install_work import WORK, Failed, fresh, run

SCRIPT = ('set -e; mount --rbind /dev "$0/dev"; mount -t proc proc "$0/proc"; '
          'mount --bind "$1/apt" "$0/var/cache/apt/archives"; mkdir -p "$0/root/.cache/ccache"; '
          'mount --bind "$1/ccache" "$0/root/.cache/ccache"; '
          'exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C '
          'DEBIAN_FRONTEND=noninteractive CCACHE_DIR=/root/.cache/ccache chroot "$0" sh -ec "$2"')


def base():
    """The archive of the system, which is created once."""
    archive = WORK / "debian.tar"
    if not archive.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        partial = WORK / "partial.tar"
        run("mmdebstrap", "--quiet", "--variant=minbase", "--include=make,ca-certificates", "bookworm", partial)
        partial.rename(archive)
    return archive


class CleanDebian:
    def __init__(self, name):
        if os.geteuid() != 0:
            raise Failed("a clean system needs root: run make test-install as root")
        archive = base()
        self.root = fresh(name)
        self.home = self.root / "root"
        run("tar", "-xf", archive, "-C", self.root, "--exclude=./dev/*")
        shutil.copy("/etc/resolv.conf", self.root / "etc" / "resolv.conf")
        (self.root / "etc" / "hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n::1 localhost ip6-localhost\n",
                                                encoding="utf-8")
        (self.root / "etc" / "apt" / "apt.conf.d" / "yes").write_text('APT::Get::Assume-Yes "true";\n', encoding="utf-8")

    def line(self, command):
        """The command that runs `command` inside. Packages it downloads are kept for the next system, and what its
        ccache compiles, if it has one."""
        kept = WORK / "kept"
        for name in ["apt/partial", "ccache"]:
            (kept / name).mkdir(parents=True, exist_ok=True)
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", SCRIPT, str(self.root),
                str(kept), command]

    def run(self, command, check=True, timeout=900):
        return run(*self.line(command), check=check, timeout=timeout)

    def start(self, command):
        return subprocess.Popen(self.line(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)
