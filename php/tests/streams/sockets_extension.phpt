--TEST--
The sockets extension
--EXTENSIONS--
sockets
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$got = concurrently('socket_read', 0.2, function ($i) {
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
    Async\spawn(function () use ($pair, $i) { Async\delay(200); socket_write($pair[1], "s$i"); });
    return socket_read($pair[0], 100);
});
echo implode(' ', $got), "\n";
$server = socket_create_listen(0);
socket_getsockname($server, $host, $port);
$got = concurrently('connect and accept', 0.1, function ($i) use ($server, $port) {
    if ($i == 0) {
        for ($n = 0; $n < 9; $n++) {
            $client = socket_accept($server);
            Async\spawn(function () use ($client) { Async\delay(100); socket_write($client, 'hello'); });
        }
        return '';
    }
    $socket = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
    socket_connect($socket, '127.0.0.1', $port);
    socket_recv($socket, $data, 5, MSG_WAITALL);
    return $data;
});
echo implode(' ', $got), "\n";
$got = concurrently('socket_select', 0.1, function () {
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
    [$read, $write, $except] = [[$pair[0]], null, null];
    return socket_select($read, $write, $except, 0, 100_000);
});
echo array_sum($got), "\n";
socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
cancelled('socket_read', fn() => socket_read($pair[0], 10));
cancelled('socket_accept', fn() => socket_accept($server));
$udp = socket_create(AF_INET, SOCK_DGRAM, SOL_UDP);
socket_bind($udp, '127.0.0.1');
cancelled('socket_recvfrom', fn() => socket_recvfrom($udp, $data, 10, 0, $from, $from_port));
?>
--EXPECT--
socket_read: concurrent
s0 s1 s2 s3 s4 s5 s6 s7 s8 s9
connect and accept: concurrent
 hello hello hello hello hello hello hello hello hello
socket_select: concurrent
0
socket_read: Coroutine cancelled
socket_accept: Coroutine cancelled
socket_recvfrom: Coroutine cancelled
