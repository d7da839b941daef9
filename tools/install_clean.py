"""The parts of tools/test_install that need a Debian with nothing else: its packages, and the README's commands."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request

from clean_debian import CleanDebian
from install_work import ROOT, Failed, require, run

TESTS = ROOT / "tests" / "install"
HELLO_SECONDS = 120  # from the packages on the disk to a program that ran


class CleanSystems:
    def __init__(self, jobs):
        self.jobs = jobs

    def packages(self):
        run(ROOT / "tools" / "build_deb", "--jobs", self.jobs, timeout=1200)
        names = sorted(path.name for path in (ROOT / "build" / "deb").glob("*.deb"))
        require([name.split("_")[0] for name in names] ==
                ["libweft-dev", "libweft-doc", "libweft0.2", "php8.2-weft"],
                f"packages: {names}")

    def packages_in_a_clean_system(self):
        system = CleanDebian("clean")
        system.run("apt-get update -q; "
                          "apt-get install -qy --no-install-recommends g++ cmake make pkg-config")
        there = system.home
        for package in (ROOT / "build" / "deb").glob("*.deb"):
            shutil.copy(package, there)
        hello = there / "hello"
        hello.mkdir()
        shutil.copy(ROOT / "examples" / "hello.cpp", hello)
        shutil.copy(TESTS / "hello.cmake", hello / "CMakeLists.txt")
        begin = time.monotonic()
        text = system.run("cd; apt-get install -qy --no-install-recommends ./libweft*.deb; "
                                 "cd hello; cmake -B build; cmake --build build; build/hello")
        seconds = time.monotonic() - begin
        require("42, and the tea still draws" in text, f"hello printed {text[-300:]}")
        require(seconds < HELLO_SECONDS, f"hello ran after {seconds:.0f} s, not in {HELLO_SECONDS}")
        print(f"    from apt install to hello: {seconds:.0f} s", flush=True)
        system.run("cd; g++ -std=c++20 hello/hello.cpp $(pkg-config --cflags --libs weft) -o hello2; "
                          "./hello2; ldd ./hello2 | grep libweft.so.0.2")
        shutil.copytree(ROOT / "examples", there / "examples")
        shutil.copytree(TESTS / "examples", there / "project")
        system.run("cd; cmake -S project -B all -DEXAMPLES=$HOME/examples; "
                          f"cmake --build all --parallel {self.jobs}")
        built = [p for p in (there / "all").iterdir() if p.is_file() and os.access(p, os.X_OK)]
        require(len(built) > 20, f"only {len(built)} examples were built")
        # The static one asks for what it stands on, and says so.
        text = system.run("cd ~/hello; sed -i 's/weft REQUIRED/weft REQUIRED COMPONENTS static/' "
                                 "CMakeLists.txt; cmake -B static", check=False)
        require("a static weft needs Boost.Context 1.81 or newer: install it" in " ".join(text.split()), text[-500:])
        system.run("cd ~/hello; apt-get install -qy --no-install-recommends libuv1-dev "
                          "libboost-context1.81-dev; cmake -B static; cmake --build static; static/hello")
        system.remove()

    def php_in_a_clean_system(self):
        """The extension is loaded when its package is installed, and not after its removal."""
        system = CleanDebian("php")
        package = next((ROOT / "build" / "deb").glob("php8.2-weft_*.deb"))
        shutil.copy(package, system.home)
        shutil.copy(TESTS / "concurrent.php", system.home)
        system.run("apt-get update -q; cd; apt-get install -qy --no-install-recommends php8.2-cli ./php8.2-weft_*.deb")
        text = system.run("cd; timeout 60 php concurrent.php")
        require(text == "read meanwhile\n", f"concurrent.php printed {text}")
        text = system.run("php --ri weft")
        require("weft => enabled" in text and " objects" in text, f"php --ri weft printed {text}")
        example = "/usr/share/doc/php8.2-weft/examples/pipeline.php"
        text = system.run(f"timeout 60 php {example}")
        require(text, f"{example} printed nothing")
        text = system.run("apt-get purge -qy php8.2-weft; php -m; find /etc/php /usr/lib/php -name '*weft*'")
        require("weft" not in text.split("[PHP Modules]")[1], f"after purge there is still {text[-500:]}")
        system.remove()

    def readme_route(self):
        """Runs the commands of the README in a clean system. `make test` only gets its packages
        and configures: its twenty minutes are spent elsewhere."""
        section = re.search(r"On Debian 12, in a clone of this repository:\n\n```\n(.*?)```",
                            (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
        require(section, "README.md: no \"On Debian 12, in a clone of this repository:\"")
        commands = [line.split("#")[0].strip() for line in section[1].splitlines() if line.strip()]
        require(commands[:2] == ["make demo", "make test"], f"README.md gives other commands: {commands}")
        system = CleanDebian("readme")
        clone = system.home / "weft"
        clone.mkdir()
        files = run("git", "ls-files", "-z").split("\0")
        for name in filter(None, files):
            target = clone / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                shutil.copy2(ROOT / name, target)
        system.run("cd ~/weft; tools/setup --build")
        with socket.socket() as port:  # nothing else may answer for the demo
            require(port.connect_ex(("127.0.0.1", 8080)) != 0, "port 8080 is taken: stop what listens there")
        demo = system.start(f"cd ~/weft; {commands[0]}")
        try:
            body = self.visit(demo, 600)
            require("weft" in body.lower(), f"the demo answers {body[:200]}")
        finally:
            demo.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                demo.communicate(timeout=20)
            if demo.poll() is None:
                demo.kill()
        system.run("cd ~/weft; cmake --preset gcc")
        system.remove()

    @staticmethod
    def visit(demo, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if demo.poll() is not None:
                raise Failed(f"make demo ended:\n{demo.stdout.read()[-2000:]}")
            try:
                with urllib.request.urlopen("http://127.0.0.1:8080/", timeout=5) as answer:
                    return answer.read().decode()
            except OSError:
                time.sleep(0.5)
        raise Failed(f"the demo did not answer in {seconds} s")
