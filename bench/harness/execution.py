"""Starts the programs and reads their figures."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from . import catalogue

BENCH = pathlib.Path(__file__).resolve().parent.parent
GATE_COUNTER = BENCH.parent / "tests" / "gate" / "count.py"


def progress(text):
    print(text, file=sys.stderr, flush=True)


class Pace:
    """Prints the progress of a run, and an estimate of the remaining time."""

    def __init__(self, total):
        self.total = total
        self.done = 0
        self.begin = time.monotonic()

    def step(self, what):
        passed = time.monotonic() - self.begin
        rest = ""
        if self.done > 2:
            rest = f" ({passed / self.done * (self.total - self.done) / 60:.0f} min to go)"
        self.done += 1
        progress(f"[{self.done}/{self.total}]{rest} {what}")


def parse_benchmark_json(text):
    """Figures of a Google Benchmark program: CPU time in its unit, and its counters."""
    figures = {}
    for entry in json.loads(text)["benchmarks"]:
        name = entry["name"].split("/")[0]
        if entry.get("error_occurred"):
            raise ValueError(f"{name}: {entry.get('error_message', 'failed')}")
        figures[name] = float(entry["cpu_time"])
        for counter, value in entry.items():
            if counter.endswith("_per_op"):
                figures[f"{name}.{counter}"] = float(value)
    return figures


def parse_plain(text):
    """Figures of a program that prints "key value" lines; lines with "# " are notes."""
    lines = [line for line in text.splitlines() if not line.startswith("# ")]
    return {key: float(value) for key, value in (line.split() for line in lines)}


def notes_of(text):
    return [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]


def find_program(build, name):
    if name.endswith((".js", ".py")):
        script = BENCH / "peers" / name
        needed = "node" if name.endswith(".js") else name.rpartition("_")[2].removesuffix(".py")
        path = f"{os.environ.get('PATH', '')}:/usr/sbin"
        return script if script.exists() and shutil.which(needed, path=path) else None
    for folder in (build, build / "bench", build / "bin", build / "tests" / "gate"):
        if os.access(folder / name, os.X_OK) and (folder / name).is_file():
            return folder / name
    return None


def pin_command(core):
    """The words in front of a command that pin it to a core; empty if that is impossible."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if not shutil.which("taskset") or not allowed:
        return [], None
    if core not in allowed:
        core = max(allowed)
    return ["taskset", "-c", str(core)], core


def load_command(program, path, pin, min_time, load):
    """Runs the server on the pinned core, and the load on another one."""
    command = [str(load), "--connections", str(program.connections), "--seconds",
               str(2 * min_time)]
    if pin:
        command += ["--server-core", pin[-1]]
    if program.http:
        command.append("--http")
    command += ["--"] + (["node"] if path.suffix == ".js" else []) + [str(path)]
    # A script that becomes the server gets a folder for what it writes.
    return command + ([str(load.parent / path.stem)] if path.suffix == ".py" else [])


def run_command(command, timeout):
    """The output of a command. Raises ValueError with its last line if the command fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["nothing on standard error"])[-1]
        raise ValueError(f"exit {done.returncode}: {last}")
    return done.stdout


def run_program(program, path, pin, min_time, timeout):
    """The figures of a program and its notes."""
    command = pin + [str(path), *program.arguments]
    if program.timed:
        command.append(str(min_time))
    if program.connections:
        command = load_command(program, path, pin, min_time, program.arguments[0])
    if not program.plain:
        command += ["--benchmark_format=json", f"--benchmark_min_time={min_time}"]
    output = run_command(command, timeout)
    figures = parse_plain(output) if program.plain else parse_benchmark_json(output)
    notes = notes_of(output) if program.plain else []
    return {f"{program.key} {name}": value for name, value in figures.items()}, notes


def shown(program):
    if program.connections:
        return f"with {program.connections} connection{'s' * (program.connections > 1)}"
    return " ".join(argument for argument in program.arguments if not argument.startswith("--"))


def growth_program(count):
    """The command of weft/growth.cpp with `count` coroutines, and enough rounds to measure."""
    rounds = max(1, 500_000 // count)
    return catalogue.Program(f"growth {count}", catalogue.GROWTH, (str(count), str(rounds)),
                             plain=True)


class Measurement:
    """The rounds of a run: a dictionary of figures each, what went wrong, and what was noted."""

    def __init__(self):
        self.results, self.failures, self.notes = [], [], []

    def run(self, programs, rounds, pin, min_time, timeout):
        pace = Pace(rounds * len(programs))
        for number in range(rounds):
            figures = {}
            order = programs if number % 2 == 0 else list(reversed(programs))
            for program, path in order:
                pace.step(f"round {number + 1} of {rounds}: {path.name} {shown(program)}".rstrip())
                try:
                    found, notes = run_program(program, path, pin, min_time, timeout)
                    figures.update(found)
                    self.notes += [note for note in notes if note not in self.notes]
                except (ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
                    self.failures.append(f"{path.name} (round {number + 1}): {error}")
                    progress(f"  failed: {error}")
            self.results.append(figures)


def callgrind_each(command, timeout):
    """Instructions per operation of weft/growth.cpp, which says how many operations it did."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           "--instr-atstart=no", *command],
                          capture_output=True, text=True, timeout=timeout, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    operations = re.search(r"^operations (\d+)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or collected is None or operations is None:
        raise ValueError(f"callgrind could not count {' '.join(command)}")
    return int(collected.group(1)) / int(operations.group(1))


def count_paths(build):
    """Instructions of the hot paths, as the gate of the tests counts them."""
    gate = find_program(build, "gate")
    if gate is None or not shutil.which("valgrind"):
        raise ValueError("no valgrind" if gate else "the program gate was not built")
    progress("counting the instructions of the hot paths")
    return {name: int(count) for name, count in parse_plain(
        run_command([sys.executable, "-B", str(GATE_COUNTER), str(gate), "--print"], 900)).items()}


def count_growth(build, counts, timeout):
    """Instructions of each operation by number of coroutines: {operation: {count: each}}."""
    program = find_program(build, catalogue.GROWTH)
    if program is None or not shutil.which("valgrind"):
        raise ValueError("no valgrind" if program else f"{catalogue.GROWTH} was not built")
    found = {}
    for operation in catalogue.GROWTH_OPERATIONS:
        for count in counts:
            progress(f"counting the instructions of {operation} among {count:,} coroutines")
            rounds = max(1, min(20, 10_000 // count))
            found.setdefault(operation, {})[count] = callgrind_each(
                [str(program), str(count), str(rounds), operation], timeout)
    return found
