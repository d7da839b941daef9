"""The measurements: the programs, the rows of the table, the instruction counts and the growth."""
from typing import NamedTuple, Optional

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
    """One line of the table. A measure that begins with "– " belongs to the row above it."""
    measure: str
    unit: str
    weft: str
    peer: Optional[str] = None
    peer_name: str = ""
    goal: Optional[float] = None  # of the ratio when there is a peer, else of weft's figure
    limit: Optional[float] = None  # of weft's figure, where there is a peer as well
    strict: bool = False  # the goal is "less than", not "at most"
    scale: float = 1.0  # what a figure of the programs is multiplied with
    counts_calls: bool = False  # cannot be measured where the kernel does not let us count


def only(name):
    """An argument of Google Benchmark that selects one benchmark of the program."""
    return (f"--benchmark_filter=^{name}(/|$)",)


# Neighbours are compared with each other, so they stand together.
PROGRAMS = [
    Program("weft ring 2", "bench_weft_yield_ring_2"),
    Program("fiber ring 2", "bench_peer_yield_ring_2"),
    Program("stackless ring 2", "bench_peer_stackless_yield", only("yield_ring_2")),
    Program("asio ring 2", "bench_peer_asio_yield", only("yield_ring_2")),
    Program("fcontext", "bench_peer_raw_switch"),
    Program("weft ring 1000", "bench_weft_yield_ring_1000"),
    Program("fiber ring 1000", "bench_peer_yield_ring_1000"),
    Program("stackless ring 1000", "bench_peer_stackless_yield", only("yield_ring_1000")),
    Program("asio ring 1000", "bench_peer_asio_yield", only("yield_ring_1000")),
    Program("weft spawn", "bench_weft_spawn_await"),
    Program("fiber spawn", "bench_peer_spawn_await"),
    Program("stackless spawn", "bench_peer_stackless_spawn"),
    Program("asio spawn", "bench_peer_asio_spawn"),
    Program("weft await", "bench_weft_await_completed"),
    Program("fiber await", "bench_peer_await_completed"),
    Program("weft channel", "bench_weft_channel"),
    Program("fiber channel", "bench_peer_channel"),
    Program("go channel", "bench_go_channel", plain=True, timed=True),
    Program("stackless channel", "bench_peer_stackless_channel"),
    Program("asio channel", "bench_peer_asio_channel"),
    Program("weft mutex", "bench_weft_mutex"),
    Program("weft pool", "bench_weft_pool"),
    Program("weft group", "bench_weft_task_group"),
    Program("go group", "bench_go_task_group", plain=True, timed=True),
    Program("weft timers", "bench_weft_timers"),
    Program("libuv timers", "bench_peer_timers"),
    Program("stackless timers", "bench_peer_stackless_timers"),
    Program("asio timers", "bench_peer_asio_timers"),
    Program("weft million delay", "bench_weft_million", (MILLION, "delay"), plain=True),
    Program("weft million trigger", "bench_weft_million", (MILLION, "trigger"), plain=True),
]

FIBER = "Boost.Fiber"
GO = "Go"
STACKLESS = "C++20 stackless"
ASIO = "asio"
EACH = 0.001  # one of the 1000 that a figure is for


def further(figures, rows, scale=1.0, unit="ns"):
    """Rows of the same figure against other peers: pairs of a name and a figure."""
    return [Row(f"– against {name}", unit, figures, peer, name, scale=scale) for name, peer in rows]


ROWS = [
    Row("yield, ring of 2, different bodies", "ns", "weft ring 2 yield_ring_2",
        "fiber ring 2 yield_ring_2", FIBER, 0.30, limit=9.8),
    *further("weft ring 2 yield_ring_2", [(STACKLESS, "stackless ring 2 yield_ring_2"),
                                          (ASIO, "asio ring 2 yield_ring_2"),
                                          ("a bare switch of stacks", "fcontext raw_switch")]),
    Row("yield, ring of 1000", "ns", "weft ring 1000 yield_ring_1000",
        "fiber ring 1000 yield_ring_1000", FIBER, 0.55, limit=11.5),
    *further("weft ring 1000 yield_ring_1000",
             [(STACKLESS, "stackless ring 1000 yield_ring_1000"),
              (ASIO, "asio ring 1000 yield_ring_1000")]),
    Row("spawn + await, empty body, pooled stack", "ns", "weft spawn spawn_await",
        "fiber spawn spawn_await", FIBER, 0.20, limit=46),
    *further("weft spawn spawn_await", [(STACKLESS, "stackless spawn spawn_await"),
                                        (ASIO, "asio spawn spawn_await")]),
    Row("spawn of 1000, then await of each: one of them", "ns", "weft group by_hand", scale=EACH),
    Row("await of a completed coroutine", "ns", "weft await await_completed",
        "fiber await await_completed", FIBER, 0.30),
    Row("– switches each", "", "weft await await_completed.switches_per_op", goal=0),
    Row("– allocations each", "", "weft await await_completed.allocations_per_op", goal=0),
    Row("rendezvous to and fro", "ns", "weft channel channel_ping_pong",
        "fiber channel channel_ping_pong", FIBER, 0.31, limit=55),
    Row("– against Go", "ns", "weft channel channel_ping_pong",
        "go channel channel_ping_pong", GO, 0.28),
    *further("weft channel channel_ping_pong",
             [(STACKLESS, "stackless channel channel_ping_pong"),
              (ASIO, "asio channel channel_ping_pong")]),
    Row("– allocations each", "", "weft channel channel_ping_pong.allocations_per_op", goal=0),
    Row("a value through a buffer of 128", "ns", "weft channel channel_buffered",
        "fiber channel channel_buffered", FIBER, 0.65),
    *further("weft channel channel_buffered",
             [(GO, "go channel channel_buffered"),
              (STACKLESS, "stackless channel channel_buffered"),
              (ASIO, "asio channel channel_buffered")]),
    Row("– allocations each", "", "weft channel channel_buffered.allocations_per_op", goal=0),
    Row("select of two ready channels, and a send", "ns", "weft channel select_two_ready",
        "go channel select_two_ready", GO, 0.40),
    Row("mutex, locked and unlocked, uncontended", "ns", "weft mutex mutex_uncontended",
        "weft mutex plain_flag", "a plain flag"),
    # A loop of the benchmark is a turn of each of the two coroutines.
    Row("– one hand-over and one yield", "ns", "weft mutex mutex_contended", goal=32, scale=0.5),
    Row("pool, acquired and released, uncontended", "ns", "weft pool pool_uncontended", goal=30),
    Row("– two hand-overs and two yields", "ns", "weft pool pool_contended", goal=75),
    Row("an empty task in a group of 1000", "ns", "weft group task_group",
        "go group wait_group", "Go's WaitGroup", 0.40, limit=63, scale=EACH),
    Row("– against spawn and await by hand", "ns", "weft group task_group",
        "weft group by_hand", "by hand", scale=EACH),
    Row("100,000 sleeps of 1–1000 ms, warm", "ms", "weft timers timers_warm",
        "libuv timers timers_warm", "bare libuv", 1.00),
    *further("weft timers timers_warm", [(STACKLESS, "stackless timers timers_warm"),
                                         (ASIO, "asio timers timers_warm")], unit="ms"),
    Row("100,000 sleeps, the first time, with fresh stacks", "ms", "weft timers timers_first",
        "libuv timers timers_first", "bare libuv", 2.00),
    *further("weft timers timers_first", [(STACKLESS, "stackless timers timers_first"),
                                          (ASIO, "asio timers timers_first")], unit="ms"),
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
ECHO_GOALS = {1: None, 64: 1.05, 1000: 1.08}  # of bare epoll, by connections
ECHO_SERVERS = {"weft": "bench_weft_echo", "epoll": "bench_peer_echo_epoll",
                "libuv": "bench_peer_echo_uv", "go": "bench_go_echo", "node": "echo.js",
                "stackless": "bench_peer_echo_stackless", "asio": "bench_peer_echo_asio"}


def echo_programs(number):
    return [Program(f"{key} echo {number}", binary, plain=True, connections=number)
            for key, binary in ECHO_SERVERS.items()]


def echo_rows(number):
    weft = f"weft echo {number}"
    what = "one connection, request by request" if number == 1 else f"{number:,} connections"
    # With one request at a time the servers sleep in between, which is what the CPU time shows.
    go, node = (None, None) if number == 1 else (0.90, 0.80)
    return [
        Row(f"echo × 64 B, {what}: CPU of the server each", "ns",
            f"{weft} cpu_ns", f"epoll echo {number} cpu_ns", "bare epoll", ECHO_GOALS[number]),
        Row("– against libuv with uv_try_write", "ns", f"{weft} cpu_ns",
            f"libuv echo {number} cpu_ns", "bare libuv"),
        *further(f"{weft} cpu_ns", [(STACKLESS, f"stackless echo {number} cpu_ns"),
                                    (ASIO, f"asio echo {number} cpu_ns")]),
        Row("– against Go's net", "ns", f"{weft} cpu_ns", f"go echo {number} cpu_ns", GO, go),
        Row("– against node's net", "ns", f"{weft} cpu_ns", f"node echo {number} cpu_ns", "node",
            node),
        Row("– system calls each", "", f"{weft} system_calls", f"libuv echo {number} system_calls",
            "bare libuv", 1.00, counts_calls=True),
    ]


for echo_number in ECHO_GOALS:
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
    Row("– against nginx", "ns", "weft http cpu_ns", "nginx http cpu_ns", "nginx", 0.90),
    Row("– system calls each", "", "weft http system_calls", "nginx http system_calls", "nginx",
        counts_calls=True),
]


class Path(NamedTuple):
    """A hot path of tests/gate/gate.cpp, whose instructions are counted."""
    name: str
    measure: str
    goal: Optional[int] = None


PATHS = [
    Path("yield", "yield, ring of 2"),
    Path("yield_ring_1000", "yield, ring of 1000"),
    Path("spawn_and_await", "spawn + await, empty body", 580),
    Path("spawn_1000_then_await", "spawn of 1000, then await of each: one of them", 420),
    Path("task_of_1000", "an empty task in a group of 1000", 720),
    Path("await_completed", "await of a completed coroutine"),
    Path("await_event", "wait for an event, and one yield"),
    Path("await_with_token", "wait for an event with a token, in a coroutine of its own"),
    Path("round_trip", "rendezvous to and fro", 500),
    Path("buffered", "a value through a buffer of 16"),
    Path("lock_and_unlock", "mutex, locked and unlocked, uncontended"),
    Path("mutex_hand_over", "mutex, one hand-over and one yield"),
    Path("pool_lease", "pool, acquired and released, uncontended"),
    Path("pool_hand_over", "pool, one hand-over and one yield"),
]

GROWTH = "bench_weft_growth"
GROWTH_COUNTS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
GROWTH_LIMIT = 1.5
# As weft/growth.cpp calls them, and as the table does.
GROWTH_OPERATIONS = {"spawn": "spawn, run and park", "wake": "wake, run and park again",
                     "timer": "timer: due, run, sleep again", "cancel": "cancel, unwind and end"}
