#!/usr/bin/env python3
"""Runs weft's benchmarks and those of its peers, and writes the table of bench/README.md.

Builds nothing. Every program runs once per round as a fresh process pinned to one core; weft and its
peer run next to each other, in changing order, so that the ratio of a round compares two runs that
met the same machine.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
from typing import NamedTuple, Optional

BEGIN = "<!-- table: begin (written by run.py) -->"
END = "<!-- table: end -->"
HERE = pathlib.Path(__file__).resolve().parent
MILLION = "1000000"


class Program(NamedTuple):
    """One process to start. Its figures are named `<key> <figure>`."""
    key: str
    binary: str
    arguments: tuple = ()
    plain: bool = False  # prints "key value" lines instead of Google Benchmark's JSON
    timed: bool = False  # a plain one that takes the seconds to measure as its last argument
    connections: int = 0  # above 0: a server, which bench_server_load loads with so many
    http: bool = False  # a server that speaks HTTP, not one that echoes


class Row(NamedTuple):
    """One line of the table. `goal` is about the ratio when there is a peer, else about weft."""
    measure: str
    unit: str
    weft: str
    peer: Optional[str] = None
    peer_name: str = ""
    goal: Optional[float] = None
    strict: bool = False  # the goal is "less than", not "at most"


# Neighbours are compared with each other, so they stand together.
PROGRAMS = [
    Program("weft ring 2", "bench_weft_yield_ring_2"),
    Program("fiber ring 2", "bench_peer_yield_ring_2"),
    Program("fcontext", "bench_peer_raw_switch"),
    Program("weft ring 1000", "bench_weft_yield_ring_1000"),
    Program("fiber ring 1000", "bench_peer_yield_ring_1000"),
    Program("weft spawn", "bench_weft_spawn_await"),
    Program("fiber spawn", "bench_peer_spawn_await"),
    Program("weft await", "bench_weft_await_completed"),
    Program("fiber await", "bench_peer_await_completed"),
    Program("weft channel", "bench_weft_channel"),
    Program("fiber channel", "bench_peer_channel"),
    Program("go channel", "bench_go_channel", plain=True, timed=True),
    Program("weft mutex", "bench_weft_mutex"),
    Program("weft pool", "bench_weft_pool"),
    Program("weft group", "bench_weft_task_group"),
    Program("go group", "bench_go_task_group", plain=True, timed=True),
    Program("weft timers", "bench_weft_timers"),
    Program("libuv timers", "bench_peer_timers"),
    Program("weft million delay", "bench_weft_million", (MILLION, "delay"), plain=True),
    Program("weft million trigger", "bench_weft_million", (MILLION, "trigger"), plain=True),
]

FIBER = "Boost.Fiber"
GO = "Go"
ROWS = [
    Row("yield, ring of 2, different bodies", "ns", "weft ring 2 yield_ring_2",
        "fiber ring 2 yield_ring_2", FIBER, 0.30),
    Row("the same, against a bare switch of stacks", "ns", "weft ring 2 yield_ring_2",
        "fcontext raw_switch", "fcontext"),
    Row("yield, ring of 1000", "ns", "weft ring 1000 yield_ring_1000",
        "fiber ring 1000 yield_ring_1000", FIBER, 0.55),
    Row("spawn + await, empty body, pooled stack", "ns", "weft spawn spawn_await",
        "fiber spawn spawn_await", FIBER, 0.30),
    Row("await of a completed coroutine", "ns", "weft await await_completed",
        "fiber await await_completed", FIBER, 0.30),
    Row("– switches each", "", "weft await await_completed.switches_per_op", goal=0),
    Row("– allocations each", "", "weft await await_completed.allocations_per_op", goal=0),
    Row("rendezvous to and fro", "ns", "weft channel channel_ping_pong",
        "fiber channel channel_ping_pong", FIBER, 0.35),
    Row("– against Go", "ns", "weft channel channel_ping_pong",
        "go channel channel_ping_pong", GO, 0.30),
    Row("– allocations each", "", "weft channel channel_ping_pong.allocations_per_op", goal=0),
    Row("a value through a buffer of 128", "ns", "weft channel channel_buffered",
        "fiber channel channel_buffered", FIBER, 0.65),
    Row("– against Go", "ns", "weft channel channel_buffered",
        "go channel channel_buffered", GO),
    Row("– allocations each", "", "weft channel channel_buffered.allocations_per_op", goal=0),
    Row("select of two ready channels, and a send", "ns", "weft channel select_two_ready",
        "go channel select_two_ready", GO, 0.40),
    Row("mutex, locked and unlocked, uncontended", "ns", "weft mutex mutex_uncontended",
        "weft mutex plain_flag", "a plain flag"),
    Row("– handed from one to the next", "ns", "weft mutex mutex_contended"),
    Row("pool, acquired and released, uncontended", "ns", "weft pool pool_uncontended", goal=30),
    Row("– handed from one to the next", "ns", "weft pool pool_contended"),
    Row("1000 empty tasks in a group", "ns", "weft group task_group",
        "weft group by_hand", "spawn and await"),
    Row("– against Go's WaitGroup of goroutines", "ns", "weft group task_group",
        "go group wait_group", GO, 0.40),
    Row("100,000 sleeps of 1–1000 ms, warm", "ms", "weft timers timers_warm",
        "libuv timers timers_warm", "bare libuv", 1.00),
    Row("– the first time, with fresh stacks", "ms", "weft timers timers_first",
        "libuv timers timers_first", "bare libuv"),
    Row("1,000,000 parked in a delay: memory each", "bytes", "weft million delay bytes_each",
        goal=4700),
    Row("– created", "s", "weft million delay create_seconds", goal=6, strict=True),
    Row("– all cancelled and gone", "s", "weft million delay cancel_seconds", goal=10,
        strict=True),
    Row("– created, wall time", "s", "weft million delay create_wall_seconds"),
    Row("– all cancelled and gone, wall time", "s", "weft million delay cancel_wall_seconds"),
    Row("1,000,000 parked on one trigger: memory each", "bytes",
        "weft million trigger bytes_each", goal=4700),
    Row("– created", "s", "weft million trigger create_seconds", goal=6, strict=True),
    Row("– all cancelled and gone", "s", "weft million trigger cancel_seconds", goal=10,
        strict=True),
]

LOAD = "bench_server_load"
ECHO_CONNECTIONS = (64, 1000)
ECHO_SERVERS = {"weft": "bench_weft_echo", "epoll": "bench_peer_echo_epoll",
                "libuv": "bench_peer_echo_uv", "go": "bench_go_echo", "node": "echo.js"}


def echo_programs(number):
    return [Program(f"{key} echo {number}", binary, plain=True, connections=number)
            for key, binary in ECHO_SERVERS.items()]


def echo_rows(number):
    weft = f"weft echo {number}"
    return [
        Row(f"echo, {number:,} connections × 64 B: CPU of the server each", "ns",
            f"{weft} cpu_ns", f"epoll echo {number} cpu_ns", "bare epoll", 1.10),
        Row("– against libuv with uv_try_write", "ns", f"{weft} cpu_ns",
            f"libuv echo {number} cpu_ns", "bare libuv"),
        Row("– against Go's net", "ns", f"{weft} cpu_ns", f"go echo {number} cpu_ns", GO, 0.90),
        Row("– against node's net", "ns", f"{weft} cpu_ns", f"node echo {number} cpu_ns", "node",
            0.80),
        Row("– system calls each", "", f"{weft} system_calls", f"libuv echo {number} system_calls",
            "bare libuv", 1.00),
    ]


for echo_number in ECHO_CONNECTIONS:
    PROGRAMS += echo_programs(echo_number)
    ROWS += echo_rows(echo_number)

HTTP_CONNECTIONS = 64
HTTP_SERVERS = {"weft": "bench_weft_http_hello", "go": "bench_go_http_hello",
                "nginx": "http_hello_nginx.py"}
PROGRAMS += [Program(f"{key} http", binary, plain=True, connections=HTTP_CONNECTIONS, http=True)
             for key, binary in HTTP_SERVERS.items()]
ROWS += [
    Row(f"HTTP hello, {HTTP_CONNECTIONS} kept connections: CPU of the server each", "ns",
        "weft http cpu_ns", "go http cpu_ns", "Go", 0.80),
    Row("– against nginx", "ns", "weft http cpu_ns", "nginx http cpu_ns", "nginx"),
    Row("– system calls each", "", "weft http system_calls", "nginx http system_calls", "nginx"),
]


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
    """Figures of a program that prints "key value" lines."""
    return {key: float(value) for key, value in (line.split() for line in text.splitlines())}


def find_program(build, name):
    if name.endswith((".js", ".py")):
        script = HERE / "peers" / name
        needed = "node" if name.endswith(".js") else name.rpartition("_")[2].removesuffix(".py")
        path = f"{os.environ.get('PATH', '')}:/usr/sbin"
        return script if script.exists() and shutil.which(needed, path=path) else None
    for folder in (build, build / "bench", build / "bin"):
        if os.access(folder / name, os.X_OK):
            return folder / name
    return None


def pin_command(core):
    """The start of a command that pins it to a core; empty where that cannot be done."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if not shutil.which("taskset") or not allowed:
        return [], None
    if core not in allowed:
        core = max(allowed)
    return ["taskset", "-c", str(core)], core


def load_command(program, path, pin, min_time, load):
    """The server on the pinned core, the load beside it."""
    command = [str(load), "--connections", str(program.connections), "--seconds",
               str(2 * min_time)]
    if pin:
        command += ["--server-core", pin[-1]]
    if program.http:
        command.append("--http")
    command += ["--"] + (["node"] if path.suffix == ".js" else []) + [str(path)]
    # A script that becomes the server gets a folder for what it writes.
    return command + ([str(load.parent / path.stem)] if path.suffix == ".py" else [])


def run_program(program, path, pin, min_time, timeout):
    command = pin + [str(path), *program.arguments]
    if program.timed:
        command.append(str(min_time))
    if program.connections:
        command = load_command(program, path, pin, min_time, program.arguments[0])
    if not program.plain:
        command += ["--benchmark_format=json", f"--benchmark_min_time={min_time}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["nothing on standard error"])[-1]
        raise ValueError(f"exit {done.returncode}: {last}")
    figures = parse_plain(done.stdout) if program.plain else parse_benchmark_json(done.stdout)
    return {f"{program.key} {name}": value for name, value in figures.items()}


def progress(text):
    print(text, file=sys.stderr, flush=True)


def shown(program):
    if program.connections:
        return f"with {program.connections} connections"
    return " ".join(program.arguments)


def measure(programs, rounds, pin, min_time, timeout):
    """One dictionary of figures per round, and what went wrong."""
    results, failures = [], []
    for number in range(rounds):
        figures = {}
        order = programs if number % 2 == 0 else list(reversed(programs))
        for position, (program, path) in enumerate(order, 1):
            progress(f"round {number + 1}/{rounds}, {position}/{len(order)}: "
                     f"{path.name} {shown(program)}".rstrip())
            try:
                figures.update(run_program(program, path, pin, min_time, timeout))
            except (ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
                failures.append(f"{path.name} (round {number + 1}): {error}")
                progress(f"  failed: {error}")
        results.append(figures)
    return results, failures


def number_text(value):
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread_text(values, unit):
    if not values:
        return "–"
    text = number_text(statistics.median(values))
    if min(values) != max(values):
        text += f" ({number_text(min(values))}–{number_text(max(values))})"
    return f"{text} {unit}".rstrip()


def goal_text(row):
    if row.goal is None:
        return "–"
    sign = "<" if row.strict else "≤"
    if row.peer:
        return f"{sign} {row.goal:.2f} ×"
    if row.goal == 0:
        return "0"
    return f"{sign} {row.goal:,.0f} {row.unit}"


def table_line(row, results):
    """The cells of a row."""
    weft = [r[row.weft] for r in results if row.weft in r]
    peer = [r[row.peer] for r in results if row.peer in r]
    ratios = [r[row.weft] / r[row.peer] for r in results
              if row.weft in r and r.get(row.peer)]
    judged = ratios if row.peer else weft
    reached = "–"
    if row.goal is not None:
        if not judged:
            reached = "not measured"
        else:
            value = statistics.median(judged)
            reached = "yes" if value < row.goal or (value == row.goal and not row.strict) else "no"
    peer_cell = f"{row.peer_name} {spread_text(peer, row.unit)}" if row.peer else "–"
    ratio_cell = f"{statistics.median(ratios):.2f}" if ratios else "–"
    return [row.measure, spread_text(weft, row.unit), peer_cell, ratio_cell, goal_text(row),
            reached]


def table(rows, results):
    lines = [["measure", "weft: median (min–max)", "peer: median (min–max)",
              "ratio (median of pairs)", "goal", "reached?"], ["---"] * 6]
    lines += [table_line(row, results) for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def cpu_model():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def cache_entry(build, name):
    """A value of CMake's cache; empty when unknown."""
    try:
        for line in (build / "CMakeCache.txt").read_text().splitlines():
            if line.startswith(name + ":"):
                return line.split("=", 1)[1]
    except OSError:
        pass
    return ""


def compiler(build):
    path = cache_entry(build, "CMAKE_CXX_COMPILER")
    if not path:
        return "unknown"
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.splitlines()[0].strip()


def installed_version(package):
    """The version of a Debian package; empty where dpkg does not know it."""
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package],
                              capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def describe_run(build, core, rounds):
    build_type = cache_entry(build, "CMAKE_BUILD_TYPE") or "unknown"
    peers = [f"{name} {version}" for name, package in
             (("Boost", "libboost-fiber1.81-dev"), ("libuv", "libuv1-dev"),
              ("Go", "golang-1.19-go"), ("node", "nodejs"), ("nginx", "nginx-light"))
             if (version := installed_version(package))]
    pinned = f"pinned to core {core}" if core is not None else "**not pinned**"
    parts = [f"{datetime.date.today().isoformat()}",
             f"{cpu_model()}, {os.cpu_count()} cores",
             f"{platform.system()} {platform.release()}",
             f"{compiler(build)}, {build_type}", *peers, f"{rounds} rounds, {pinned}"]
    return "; ".join(parts) + "."


def replace_block(text, block):
    """The text with what stands between the markers replaced."""
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        raise ValueError(f"the file has no lines '{BEGIN}' and '{END}' to write between")
    return f"{text[:begin]}{BEGIN}\n{block}\n{text[end:]}"


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build folder that holds the programs")
    parser.add_argument("-n", "--rounds", type=int, default=None, metavar="N",
                        help="rounds (default 5)")
    parser.add_argument("--quick", action="store_true",
                        help="2 short rounds, unless --rounds says otherwise")
    parser.add_argument("--only", metavar="TEXT",
                        help="only the programs with TEXT in their name; the README stays as it is")
    parser.add_argument("--core", type=int, default=1, help="core to pin to (default 1)")
    parser.add_argument("--no-write", action="store_true", help="leave the README as it is")
    parser.add_argument("--timeout", type=int, default=300, metavar="SECONDS",
                        help="for one program (default 300)")
    parser.add_argument("--readme", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent / "README.md",
                        help="file to write the table into (default: README.md beside this script)")
    options = parser.parse_args(arguments)
    if options.rounds is None:
        options.rounds = 2 if options.quick else 5
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    return options


def main(arguments=None):
    options = parse_arguments(arguments)
    wanted = [p for p in PROGRAMS if not options.only or options.only in p.binary]
    load = find_program(options.build, LOAD)
    wanted = [p._replace(arguments=(load,)) if p.connections and load else p for p in wanted]
    found = [(p, find_program(options.build, p.binary)) for p in wanted]
    missing = sorted({p.binary for p, path in found if path is None})
    if load is None and any(p.connections for p in wanted):
        missing.append(LOAD)
        found = [(p, path) for p, path in found if not p.connections]
    programs = [(p, path) for p, path in found if path is not None]
    if not programs:
        progress(f"no benchmark programs in {options.build}: build with -DWEFT_BUILD_BENCH=ON, "
                 "or say `make bench`")
        return 2
    for name in missing:
        progress(f"missing: {name}")
    if cache_entry(options.build, "CMAKE_BUILD_TYPE") not in ("Release", "RelWithDebInfo", ""):
        progress("warning: this is not an optimised build; its numbers mean nothing")

    pin, core = pin_command(options.core)
    if not pin:
        progress("warning: cannot pin to a core (no taskset); expect more spread")
    elif core != options.core:
        progress(f"warning: core {options.core} is not ours, using core {core}")

    results, failures = measure(programs, options.rounds, pin, 0.1 if options.quick else 0.5,
                                options.timeout)
    measured = {key for figures in results for key in figures}
    rows = [row for row in ROWS
            if not options.only or row.weft in measured or row.peer in measured]
    text = f"{describe_run(options.build, core, options.rounds)}\n\n{table(rows, results)}"
    print(text)

    failures += [f"{row.measure}: not measured" for row in rows
                 if row.goal is not None and table_line(row, results)[-1] == "not measured"
                 and not options.only]
    for failure in failures:
        progress(f"failed: {failure}")
    if missing or failures:
        progress("the README was not written, because not everything ran")
        return 1
    if not options.no_write and not options.only:
        readme = options.readme
        readme.write_text(replace_block(readme.read_text(encoding="utf-8"), "\n" + text + "\n"),
                          encoding="utf-8")
        progress(f"wrote {readme.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
