#!/usr/bin/env python3
"""Tests the demo with real clients: curl, wrk, and bytes over bare sockets.

Usage: demo_test.py DEMO [unittest arguments]
"""

import base64
import contextlib
import os
import re
import resource
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

    def __init__(self, *options, descriptors=None):
        def limit():
            if descriptors is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
        self.process = subprocess.Popen([DEMO, "--port", "0", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, preexec_fn=limit)
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


@unittest.skipUnless(shutil.which("wrk"), "needs wrk")
class WithWrk(WithDemo):
    def test_answers_all_that_64_connections_ask(self):
        out = subprocess.run(["wrk", "--threads", "1", "--connections", "64", "--duration", "2s",
                              "--timeout", f"{PATIENCE}s", f"http://127.0.0.1:{self.demo.port}/"],
                             capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
        self.assertGreater(int(re.search(r"(\d+) requests in", out).group(1)), 64, out)
        self.assertNotIn("Socket errors", out)
        self.assertNotIn("Non-2xx", out)


class OverBareSockets(WithDemo):
    OPTIONS = ("--header-time", "300", "--idle-time", "2000", "--write-time", "1000")

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

    def test_takes_chunks_byte_by_byte(self):
        head = (b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n")
        for body in (b"0\r\n\r\n", b"0\r\nX: y\r\n\r\n", b"3;a=b\r\nabc\r\n0;c\r\nT: 1\r\n\r\n"):
            with self.demo.connect() as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connection.sendall(head)
                for byte in body:
                    connection.sendall(bytes([byte]))
                    time.sleep(0.01)  # so that it comes alone
                self.assertTrue(read_all(connection).startswith(b"HTTP/1.1 405"), body)

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

    def test_limits_a_header_that_comes_field_by_field(self):
        with self.demo.connect() as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(b"GET / HTTP/1.1\r\n")
            sent = 0
            with contextlib.suppress(ConnectionError):
                while sent < 4 << 20:
                    sent += connection.send(b"X: " + b"a" * 8000 + b"\r\n")
            answer = read_all(connection)
        self.assertTrue(answer.startswith(b"HTTP/1.1 431"), answer[:200])

    def test_limits_what_comes_between_chunks(self):
        head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        for request in (head + b"1;" + b"a" * (4 << 20),  # an extension of a chunk
                        head + b"0\r\nX: " + b"a" * (4 << 20)):  # a field after the last one
            answer = self.ask(request)
            self.assertTrue(answer.startswith(b"HTTP/1.1 431"), answer[:200])

    def test_refuses_requests_whose_end_is_in_doubt(self):
        inner = b"GET /delay/7 HTTP/1.1\r\nHost: a\r\n\r\n"
        for field in (b"Transfer-Encoding: xchunked", b"Transfer-Encoding: chunked, gzip",
                      b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
                      b"Transfer-Encoding: identity\r\nContent-Length: 0",
                      b"Content-Length: 0\r\nTransfer-Encoding: chunked",
                      b"Transfer-Encoding: chunked\r\nContent-Length: 0",
                      b"Content-Length: 0\r\nContent-Length: 1",
                      b"Content-Length: +0", b"Content-Length : 0", b"Host: b"):
            answer = self.ask(b"POST / HTTP/1.1\r\nHost: a\r\n" + field + b"\r\n\r\n" + inner)
            self.assertTrue(answer.startswith(b"HTTP/1.1 400"), (field, answer[:200]))
            self.assertNotIn(b"Waited", answer, field)
        self.assert_refused(b"GET / HTTP/1.1\r\n\r\n", b"400")
        self.assert_refused(b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                            b"400")

    def test_says_no_to_one_who_has_not_finished_speaking(self):
        with self.demo.connect() as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4194304\r\n\r\n")
            connection.sendall(b"x" * (4 << 20))  # not told of a reset
            self.assertTrue(connection.recv(65536).startswith(b"HTTP/1.1 413"))

    def test_asks_for_a_body_that_waits_to_be_asked_for(self):
        with self.demo.connect() as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n"
                               b"Content-Length: 3\r\nConnection: close\r\n\r\n")
            self.assertEqual(connection.recv(25, socket.MSG_WAITALL),
                             b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(b"abc")
            self.assertTrue(read_all(connection).startswith(b"HTTP/1.1 405"))

    def test_talks_http_1_0(self):
        answer = self.ask(b"GET /delay/0 HTTP/1.0\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.0 200"), answer[:200])
        with self.demo.connect() as connection:
            for _ in range(2):
                connection.sendall(b"GET /delay/0 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                head, _, _ = read_response(connection)
                self.assertIn(b"Connection: keep-alive", head)

    def test_sends_no_body_when_asked_for_the_head(self):
        with self.demo.connect() as connection:
            connection.sendall(b"HEAD /file HTTP/1.1\r\nHost: a\r\n\r\n"
                               b"GET /delay/0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            first, _, second = read_all(connection).partition(b"\r\n\r\n")
            self.assertRegex(first, rb"Content-Length: [1-9]")
            self.assertTrue(second.startswith(b"HTTP/1.1 200 OK"), second[:200])

    def test_does_not_let_a_client_drip_its_header(self):
        begin = time.monotonic()
        with self.demo.connect() as connection, contextlib.suppress(ConnectionError):
            while time.monotonic() - begin < PATIENCE:
                connection.sendall(b"G")
                time.sleep(0.05)
                if connection.recv(65536, socket.MSG_DONTWAIT):
                    break
        self.assertLess(time.monotonic() - begin, 5)

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

    def open_websocket(self, along=b""):
        connection = self.demo.connect()
        key = base64.b64encode(os.urandom(16))
        connection.sendall(b"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                           b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           b"Sec-WebSocket-Key: " + key + b"\r\n\r\n" + along)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        self.assertIn(b"101 Switching Protocols", head)
        return connection

    def test_closes_a_websocket_that_says_nothing(self):
        with self.open_websocket() as connection:
            self.assertEqual(read_all(connection)[:1], b"\x88")  # and then, the connection

    def test_ends_a_websocket_whose_client_does_not_hang_up(self):
        with self.open_websocket() as connection:
            connection.sendall(self.frame(8, struct.pack(">H", 1000)))
            self.assertEqual(read_all(connection)[:1], b"\x88")
            connection.settimeout(0.2)
            end = time.monotonic() + PATIENCE
            with contextlib.suppress(ConnectionError):
                while time.monotonic() < end:
                    connection.sendall(b"x")  # refused when it is really closed
                    time.sleep(0.05)
            self.assertLess(time.monotonic(), end)
        self.assertIsNone(self.demo.process.poll())

    def test_ends_a_websocket_whose_client_does_not_read(self):
        message = bytes([0x82, 0xff]) + struct.pack(">Q", 1000000) + bytes(4) + bytes(1000000)
        with self.open_websocket() as connection:
            with self.assertRaises(ConnectionError):
                for _ in range(100):
                    connection.sendall(message)

    def test_refuses_a_websocket_message_that_is_too_large(self):
        with self.open_websocket() as connection:
            connection.sendall(bytes([0x82, 0xff]) + struct.pack(">Q", 1 << 40) + bytes(4))
            answer = read_all(connection)
            self.assertEqual((answer[:1], answer[2:4]), (b"\x88", struct.pack(">H", 1009)))

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

    def test_hears_what_comes_along_with_the_wish_for_a_websocket(self):
        words = [b"%d" % i * 20 for i in range(100)]
        frames = b"".join(self.frame(1, word) for word in words)
        with self.open_websocket(frames + self.frame(1, b"torn")[:5]) as connection:
            for word in words:
                answer = connection.recv(2 + len(word), socket.MSG_WAITALL)
                self.assertEqual(answer, bytes([0x81, len(word)]) + word)


class WithFewDescriptors(unittest.TestCase):
    def test_goes_on_when_there_is_none_for_what_a_request_needs(self):
        demo = Demo(descriptors=40)
        with demo.connect() as connection:
            connection.sendall(b"GET /fetch?n=100 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            answer = read_all(connection)
        self.assertTrue(answer.startswith(b"HTTP/1.1 500"), answer)
        with demo.connect() as connection:
            connection.sendall(b"GET /delay/0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            self.assertIn(b"Waited 0 ms.", read_all(connection))
        code, _, errors = demo.stop()
        self.assertEqual((code, errors), (0, ""))

    def test_does_not_wait_for_itself_forever(self):
        demo = Demo(descriptors=40)  # 32 connections
        connections = [demo.connect() for _ in range(32)]
        for connection in connections:
            connection.sendall(b"GET /fetch?n=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        answers = [read_all(connection) for connection in connections]
        for connection in connections:
            connection.close()
        self.assertTrue(all(re.match(rb"HTTP/1.1 (200|500)", answer) for answer in answers))
        demo.stop()


class ToItsEnd(unittest.TestCase):
    def test_sends_those_away_who_want_nothing_at_the_moment(self):
        demo = Demo()
        with demo.connect() as connection:
            connection.sendall(b"GET /delay/0 HTTP/1.1\r\nHost: a\r\n\r\n")
            read_response(connection)
            begin = time.monotonic()
            self.assertEqual(demo.stop()[0], 0)
            self.assertLess(time.monotonic() - begin, 3, "the grace is 5 seconds")
            self.assertEqual(connection.recv(1), b"")

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

    def test_a_second_signal_waits_for_no_request(self):
        demo = Demo()
        with demo.connect() as connection:
            connection.sendall(b"GET /delay/60000 HTTP/1.1\r\nHost: a\r\n\r\n")
            with demo.connect() as probe:  # answered after the first was accepted
                probe.sendall(b"GET /delay/0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                read_all(probe)
            begin = time.monotonic()
            demo.process.send_signal(signal.SIGTERM)
            self.assertIn("stopping", demo.process.stdout.readline())
            demo.process.send_signal(signal.SIGTERM)
            _, errors = demo.process.communicate(timeout=PATIENCE)
            self.assertLess(time.monotonic() - begin, 3, "the grace is 5 seconds")
        # Unwound, and then ended by the signal, as its parent is to see.
        self.assertEqual((demo.process.returncode, errors), (-signal.SIGTERM, ""))

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
