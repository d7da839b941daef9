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
from install_work import ROOT, WORK, Failed, require, run

TESTS = ROOT / "tests" / "install"
ADAPTERS = {"parallel_fetch": "", "websocket_client": "", "tls_echo": "-lssl -lcrypto"}  # examples, and what they link
HELLO_SECONDS = 120  # from the packages on the disk to a program that ran


def clone_into(directory):
    """A clone of the repository, with what is not committed yet."""
    run("git", "clone", "--quiet", "--no-hardlinks", ROOT, directory)
    for name in filter(None, run("git", "ls-files", "-z").split("\0")):
        source, target = ROOT / name, directory / name
        if not source.exists():
            target.unlink(missing_ok=True)
        elif not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


class CleanSystems:
    def __init__(self, jobs):
        self.jobs = jobs

    def packages(self):
        run(ROOT / "tools" / "build_deb", "--jobs", self.jobs, timeout=1200)
        names = sorted(path.name for path in (ROOT / "build" / "deb").glob("*.deb"))
        require([name.split("_")[0] for name in names] ==
                ["libweft-dev", "libweft-doc", "libweft0.2", "php8.2-weft"],
                f"packages: {names}")
        manual = next((ROOT / "build" / "deb").glob("libweft-doc_*.deb"))
        files = run("dpkg-deb", "--contents", manual)
        for name in ["html/index.html", "html/guide/install.html", "html/search.html", "examples/hello.cpp"]:
            require(f"/usr/share/doc/libweft-dev/{name}" in files, f"{manual.name} has no {name}")

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
        self.archive_in_a_clean_system(system)
        begin = time.monotonic()
        text = system.run("cd; apt-get install -qy --no-install-recommends ./libweft*.deb; "
                                 "cd hello; cmake -B build; cmake --build build; build/hello")
        seconds = time.monotonic() - begin
        require("42, and the tea is still brewing" in text, f"hello printed {text[-300:]}")
        require(seconds < HELLO_SECONDS, f"hello ran after {seconds:.0f} s, not in {HELLO_SECONDS}")
        print(f"    from apt install to hello: {seconds:.0f} s", flush=True)
        system.run("cd; g++ -std=c++20 hello/hello.cpp $(pkg-config --cflags --libs weft) -o hello2; "
                          "./hello2; ldd ./hello2 | grep libweft.so.0.2")
        self.examples(system)
        self.adapters(system)
        # The static one asks for what it stands on, and says so.
        text = system.run("cd ~/hello; sed -i 's/weft REQUIRED/weft REQUIRED COMPONENTS static/' "
                                 "CMakeLists.txt; cmake -B static", check=False)
        require("a static weft needs libuv 1.44 or newer: install it" in " ".join(text.split()), text[-500:])
        system.run("cd ~/hello; apt-get install -qy --no-install-recommends libuv1-dev; cmake -B static; "
                          "cmake --build static; static/hello; ! ldd static/hello | grep -E 'weft|boost'")
        self.sources_in_a_clean_system(system)
        system.remove()

    @staticmethod
    def archive_in_a_clean_system(system):
        """The archive of cpack needs libuv's library, and no other package."""
        packed = list((WORK / "packed").glob("weft-*.tar.gz"))
        require(len(packed) == 1, f"the archive of cpack comes first, which makes {WORK / 'packed'}/weft-*.tar.gz")
        shutil.copy(packed[0], system.home / "weft.tar.gz")
        text = system.run("cd; mkdir unpacked; tar -xf weft.tar.gz -C unpacked --strip-components=1; "
                          "apt-get install -qy --no-install-recommends libuv1; "
                          "cd hello; cmake -B archive -DCMAKE_PREFIX_PATH=$HOME/unpacked; cmake --build archive; archive/hello; "
                          "ldd archive/hello | grep unpacked/lib")
        require("42, and the tea is still brewing" in text, f"hello printed {text[-300:]}")
        system.run("rm -r ~/unpacked")

    def sources_in_a_clean_system(self, system):
        """add_subdirectory(weft); the system has libuv1-dev by now."""
        there = system.home / "from_sources"
        there.mkdir()
        clone_into(there / "weft")
        shutil.copy(ROOT / "examples" / "hello.cpp", there)
        project = (TESTS / "hello.cmake").read_text(encoding="utf-8")
        require("find_package(weft REQUIRED)" in project, f"hello.cmake has no find_package(weft REQUIRED): {project}")
        (there / "CMakeLists.txt").write_text(project.replace("find_package(weft REQUIRED)", "add_subdirectory(weft)"))
        text = system.run("apt-get purge -qy libweft-dev; cd ~/from_sources; cmake -B build -DWEFT_UNITY=ON; "
                          f"cmake --build build --parallel {self.jobs}; build/hello")
        require("42, and the tea is still brewing" in text, f"hello printed {text[-300:]}")

    def adapters(self, system):
        """The adapters say what they need, and with it their examples run; so does a bridged program."""
        compiler = "g++ -std=c++20 -fsyntax-only -x c++ -include weft/{} /dev/null"
        for header in ["asio.hpp", "tls.hpp"]:
            text = system.run(compiler.format(header), check=False)
            require("install it (Debian: libboost1.81-dev)" in text, f"weft/{header} without Boost: {text[-1000:]}")
        system.run("apt-get install -qy --no-install-recommends libboost1.81-dev")
        text = system.run(compiler.format("tls.hpp"), check=False)
        require("install it (Debian: libssl-dev)" in text, f"weft/tls.hpp without OpenSSL: {text[-1000:]}")
        system.run("apt-get install -qy --no-install-recommends libssl-dev")
        shutil.copy(TESTS / "consumer" / "bridged.cpp", system.home)
        builds = [f"g++ -std=c++20 examples/{name}.cpp $(pkg-config --cflags --libs weft) {libraries} -o {name}"
                  for name, libraries in ADAPTERS.items()]
        builds.append("g++ -std=c++20 bridged.cpp $(pkg-config --cflags --libs weft-bridge) -o bridged")
        lines = "".join(f"{line}\n" for line in builds)
        (system.home / "builds").write_text(lines, encoding="utf-8")
        system.run(f"cd; xargs -P {self.jobs} -d '\\n' -n 1 sh -c < builds")
        script = "; ".join(f"python3 run_example.py examples/{name}.cpp ./{name}" for name in ADAPTERS)
        text = system.run(f"cd; {script}; ./bridged")
        require("bridged" in text, f"bridged printed {text[-500:]}")

    def examples(self, system):
        """Every example that needs weft alone, with CMake and with pkg-config, prints what it says."""
        there = system.home
        shutil.copytree(ROOT / "examples", there / "examples")
        shutil.copytree(TESTS / "examples", there / "project")
        shutil.copy(ROOT / "tools" / "run_example.py", there)
        foreign = re.compile(r"include <(boost|openssl|weft/asio|weft/tls)")
        sources = {path.stem: path.name for pattern in ("*.cpp", "*.c") for path in (ROOT / "examples").glob(pattern)
                   if not foreign.search(path.read_text(encoding="utf-8"))}
        system.run("apt-get install -qy --no-install-recommends python3 netbase")
        system.run("cd; cmake -S project -B cmake -DEXAMPLES=$HOME/examples; "
                          f"cmake --build cmake --parallel {self.jobs}")
        system.run("mkdir ~/pkg-config; cd ~/pkg-config; "
                          f"make --silent --jobs {self.jobs} -f ../project/Makefile EXAMPLES=$HOME/examples")
        for way in ["cmake", "pkg-config"]:
            built = {path.name for path in (there / way).iterdir() if path.is_file() and os.access(path, os.X_OK)}
            require(built == set(sources), f"{way}: {sorted(built ^ set(sources))} should be built, or should not")
            script = "; ".join(f"python3 run_example.py examples/{source} {way}/{name} || echo FAILED {source}"
                               for name, source in sorted(sources.items()))
            text = system.run(f"cd; {script}")
            require("FAILED" not in text, f"{way}: {text[-3000:]}")
        print(f"    {len(sources)} examples with CMake, and with pkg-config", flush=True)

    def php_in_a_clean_system(self):
        """The extension is loaded when its package is installed, and not after its removal."""
        system = CleanDebian("php")
        package = next((ROOT / "build" / "deb").glob("php8.2-weft_*.deb"), None)
        require(package is not None, "there is no package: it was not built")
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

    @staticmethod
    def readme_block(before, language="", blank="\n\n"):
        """The lines of the block of README.md that follows a sentence, without their comments."""
        found = re.search(rf"^{re.escape(before)}{blank}```{language}\n(.*?)```",
                          (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        require(found, f"README.md: no \"{before}\" with a block after it")
        return [line.split("#")[0].strip() for line in found[1].splitlines() if line.strip()]

    def readme_route(self):
        """Runs the commands of the README in a clean system, in a clone. `make test`, which takes twenty minutes, is
        replaced by what it begins with, and one of its tests: make setup, the presets gcc and clang, event_test."""
        commands = self.readme_block("On Debian 12, in a clone of this repository:")
        require(commands == ["make demo", "make test"], f"README.md gives other commands: {commands}")
        system = CleanDebian("readme")
        clone_into(system.home / "weft")
        system.run("apt-get update -q; apt-get install -qy --no-install-recommends sudo")
        system.run("cd ~/weft; tools/setup --build")
        self.demo_of_readme(system, commands[0])
        self.library_of_readme(system)
        self.php_of_readme(system)
        system.run("cd ~/weft; make setup; cmake --preset gcc; cmake --preset clang; "
                   f"cmake --build --preset gcc --parallel {self.jobs} --target event_test; "
                   "build/gcc/tests/event_test --gtest_brief=1")
        system.remove()

    def php_of_readme(self, system):
        """Builds the packages with what `tools/setup --deb` installs, and installs the extension."""
        commands = self.readme_block("The extension for stock PHP 8.2 is installed in one line (`make php` builds it without installing "
                                     "it):", "sh", blank="\n")
        text = system.run(f"cd ~/weft; {'; '.join(commands)}; php php/examples/hello.php", timeout=1800)
        require("42, and the tea is still brewing" in text, f"hello.php printed {text[-500:]}")

    def demo_of_readme(self, system, command):
        with socket.socket() as port:  # nothing else may answer for the demo
            require(port.connect_ex(("127.0.0.1", 8080)) != 0, "port 8080 is taken: stop what listens there")
        demo = system.start(f"cd ~/weft; {command}")
        try:
            body = self.visit(demo, 600)
            require("weft" in body.lower(), f"the demo answers {body[:200]}")
        finally:
            demo.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                demo.communicate(timeout=20)
            if demo.poll() is None:
                demo.kill()

    def library_of_readme(self, system):
        """Builds and installs the library alone, and a program by each of the ways that the README names."""
        commands = "; ".join(self.readme_block("Build and install the library alone:"))
        system.run(f"cd ~/weft; {commands}")
        program = system.home / "program"
        program.mkdir()
        shutil.copy(ROOT / "examples" / "hello.cpp", program / "main.cpp")
        shutil.copy(TESTS / "consumer" / "explored.cpp", program / "tests.cpp")
        snippet = self.readme_block("Then, in your `CMakeLists.txt`, or after `add_subdirectory(weft)` from its sources:", "cmake")
        project = ("cmake_minimum_required(VERSION 3.20)\nproject(readme LANGUAGES CXX)\n"
                   "add_executable(my_program main.cpp)\nadd_executable(my_tests tests.cpp)\n")
        (program / "CMakeLists.txt").write_text(project + "\n".join(snippet) + "\n")
        text = system.run("cd ~/program; cmake -B build; cmake --build build; build/my_program; build/my_tests")
        require("42, and the tea is still brewing" in text, f"with CMake, hello printed {text[-300:]}")
        line = re.search(r"`(g\+\+ [^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8"))
        require(line, "README.md gives no line for g++")
        text = system.run(f"cd ~/program; {line[1]}; ./a.out")
        require("42, and the tea is still brewing" in text, f"with pkg-config, hello printed {text[-300:]}")
        # The other way: the project has the sources, and builds them.
        require(snippet[0] == "find_package(weft REQUIRED)", f"README.md: the block for CMake begins with {snippet[0]}")
        (program / "CMakeLists.txt").write_text(project + "\n".join(["add_subdirectory(weft)", *snippet[1:]]) + "\n")
        text = system.run("cd ~/program; ln -s ~/weft weft; cmake -B sources -DWEFT_UNITY=ON; "
                          f"cmake --build sources --parallel {self.jobs}; sources/my_program; sources/my_tests")
        require("42, and the tea is still brewing" in text, f"with add_subdirectory, hello printed {text[-300:]}")

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
