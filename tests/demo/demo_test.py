#!/usr/bin/env python3
"""Tests the demo with real clients: curl, and bytes over bare sockets.

Usage: demo_test.py DEMO [unittest arguments]
"""

import base64
import contextlib
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import unittest

DEMO = None
PATIENCE = 20  # seconds, for what should take none


class Demo:
    """The demo as a child process, on a free port."""

    def __init__(self, *options):
        self.process = subprocess.Popen([DEMO, "--port", "0", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", line).group(1))

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def resident(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        output, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output, errors


def read_all(connection):
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            data += piece
    return data


def read_response(connection, rest=b""):
    """Head, body and what came after, of a response with a Content-Length."""
    while b"\r\n\r\n" not in rest:
        piece = connection.recv(65536)
        if not piece:
            raise AssertionError(f"the connection ended after {rest!r}")
        rest += piece
    head, _, rest = rest.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
    while len(rest) < length:
        rest += connection.recv(65536)
    return head, rest[:length], rest[length:]


class WithDemo(unittest.TestCase):
    OPTIONS = ()

    @classmethod
    def setUpClass(cls):
        cls.demo = Demo(*cls.OPTIONS)

    @classmethod
    def tearDownClass(cls):
        if cls.demo.process.poll() is None:
            code, _, errors = cls.demo.stop()
            assert code == 0, errors
            assert errors == "", errors

    def ask(self, request):
        with self.demo.connect() as connection:
            connection.sendall(request)
            return read_all(connection)

    def assert_refused(self, request, status):
        answer = self.ask(request)
        self.assertTrue(answer.startswith(b"HTTP/1.1 " + status), answer[:200])


@unittest.skipUnless(shutil.which("curl"), "needs curl")
class WithCurl(WithDemo):
    def curl(self, path, *options):
        return subprocess.run(["curl", "--silent", "--show-error", "--max-time", str(PATIENCE),
                               *options, f"http://127.0.0.1:{self.demo.port}{path}"],
                              capture_output=True, text=True, check=True).stdout

    def test_shows_figures_and_coroutines(self):
        page = self.curl("/")
        self.assertIn("<title>weft</title>", page)
        self.assertRegex(page, r"<dt>coroutines</dt><dd>\d+</dd>")
        self.assertIn("(main)", page)

    def test_waits(self):
        begin = time.monotonic()
        self.assertEqual(self.curl("/delay/100"), "Waited 100 ms.\n")
        self.assertGreaterEqual(time.monotonic() - begin, 0.1)

    def test_asks_itself_in_parallel(self):
        answer = self.curl("/fetch?n=10")
        took = int(re.fullmatch(r"10 requests of 100 ms each took (\d+) ms together\.\n",
                                answer).group(1))
        self.assertGreaterEqual(took, 100)
        self.assertLess(took, 1000, "ten in a row would take a second")

    def test_sends_a_file(self):
        self.assertIn("Threads:", self.curl("/file"))

    def test_runs_a_program(self):
        self.assertEqual(self.curl("/exec"), subprocess.check_output(["uname", "-a"], text=True))

    def test_says_what_is_not_there(self):
        self.assertEqual(self.curl("/nowhere", "--write-out", "%{http_code}"),
                         "There is nothing here.\n404")

    def test_allows_get_and_head_only(self):
        self.assertTrue(self.curl("/", "--request", "DELETE", "--write-out",
                                  "%{http_code}").endswith("405"))
        head = self.curl("/file", "--head")
        self.assertIn("HTTP/1.1 200", head)

    def test_takes_a_chunked_body(self):
        answer = self.curl("/", "--request", "POST", "--header", "Transfer-Encoding: chunked",
                           "--data", "x" * 1000, "--write-out", "%{http_code}")
        self.assertTrue(answer.endswith("405"))  # read, then refused for its method

    def test_keeps_the_connection(self):
        url = f"http://127.0.0.1:{self.demo.port}/delay/0"
        out = subprocess.run(["curl", "--silent", "--max-time", str(PATIENCE), "--write-out",
                              "%{num_connects}\n", url, url, url],
                             capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"^\d+$", out, re.MULTILINE), ["1", "0", "0"])


class OverBareSockets(WithDemo):
    OPTIONS = ("--header-time", "300", "--idle-time", "2000")

    def test_answers_pipelined_requests_in_order(self):
        with self.demo.connect() as connection:
            request = b"GET /delay/%d HTTP/1.1\r\nHost: a\r\n\r\n"
            connection.sendall(request % 30 + request % 0 + request % 10)
            rest = b""
            for wait in (30, 0, 10):
                _, body, rest = read_response(connection, rest)
                self.assertEqual(body, b"Waited %d ms.\n" % wait)

    def test_takes_a_request_byte_by_byte(self):
        with self.demo.connect() as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in b"GET /delay/0 HTTP/1.1\r\nHost: a\r\n\r\n":
                connection.sendall(bytes([byte]))
            _, body, _ = read_response(connection)
            self.assertEqual(body, b"Waited 0 ms.\n")

    def test_refuses_what_is_not_http(self):
        self.assert_refused(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", b"400")
        self.assert_refused(b"GET\r\n\r\n", b"400")
        self.assert_refused(b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"400")
        self.assert_refused(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", b"400")

    def test_refuses_what_is_too_large(self):
        self.assert_refused(b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"414")
        many = b"".join(b"X-%d: 1\r\n" % i for i in range(101))
        self.assert_refused(b"GET / HTTP/1.1\r\n" + many + b"\r\n", b"431")
        self.assert_refused(b"GET / HTTP/1.1\r\nX: " + b"a" * 40000 + b"\r\n\r\n", b"431")
        self.assert_refused(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", b"413")

    def test_ends_a_header_that_never_ends(self):
        begin = time.monotonic()
        self.assert_refused(b"GET / HTTP/1.1\r\nHost: a\r\n", b"408")
        self.assertGreaterEqual(time.monotonic() - begin, 0.3)

    def test_closes_a_connection_that_says_nothing(self):
        self.assertEqual(self.ask(b""), b"")

    def test_survives_clients_that_go_in_the_middle(self):
        for request in (b"GET / HT", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
                        b"GET /delay/200 HTTP/1.1\r\nHost: a\r\n\r\n"):
            with self.demo.connect() as connection:
                connection.sendall(request)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.assertIn(b"Waited 0 ms.", self.ask(
            b"GET /delay/0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))

    def test_needs_no_more_memory_for_more_nonsense(self):
        nonsense = b"GET / HTTP/1.1\r\nX: " + b"a" * 40000 + b"\r\n\r\n"
        for _ in range(50):
            self.ask(nonsense)
        before = self.demo.resident()
        for _ in range(300):
            self.ask(nonsense)
        self.assertLess(self.demo.resident() - before, 4 << 20)

    def open_websocket(self):
        connection = self.demo.connect()
        key = base64.b64encode(os.urandom(16))
        connection.sendall(b"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                           b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           b"Sec-WebSocket-Key: " + key + b"\r\n\r\n")
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        self.assertIn(b"101 Switching Protocols", head)
        return connection

    @staticmethod
    def frame(opcode, payload):
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        return bytes([0x80 | opcode, 0x80 | len(payload)]) + mask + masked

    def test_echoes_over_a_websocket(self):
        with self.open_websocket() as connection:
            for word in (b"hello", b"", b"again"):
                connection.sendall(self.frame(1, word))
                head = connection.recv(2, socket.MSG_WAITALL)
                self.assertEqual(head, bytes([0x81, len(word)]))
                self.assertEqual(connection.recv(len(word), socket.MSG_WAITALL) if word else b"",
                                 word)
            connection.sendall(self.frame(8, struct.pack(">H", 1000)))
            self.assertEqual(read_all(connection)[:1], b"\x88")


class ToItsEnd(unittest.TestCase):
    def test_drains_on_sigterm(self):
        demo = Demo()
        with demo.connect() as connection:
            connection.sendall(b"GET /delay/300 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            with demo.connect() as probe:  # answered after the first was accepted
                probe.sendall(b"GET /delay/0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                read_all(probe)
            demo.process.send_signal(signal.SIGTERM)
            self.assertIn(b"Waited 300 ms.", read_all(connection))
        output, errors = demo.process.communicate(timeout=PATIENCE)
        self.assertEqual((demo.process.returncode, errors), (0, ""))
        self.assertIn("stopping", output)
        with self.assertRaises(ConnectionRefusedError):
            demo.connect()

    def test_explains_itself(self):
        shown = subprocess.run([DEMO, "--help"], capture_output=True, text=True, check=True)
        self.assertIn("--port", shown.stdout)
        refused = subprocess.run([DEMO, "--nonsense"], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("Usage", refused.stderr)

    def test_says_why_it_cannot_start(self):
        demo = Demo()
        second = subprocess.run([DEMO, "--port", str(demo.port)], capture_output=True, text=True,
                                check=False, timeout=PATIENCE)
        demo.stop()
        self.assertEqual(second.returncode, 1)
        self.assertIn("Address already in use", second.stderr)


if __name__ == "__main__":
    DEMO = sys.argv.pop(1)
    unittest.main()
