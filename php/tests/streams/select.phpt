--TEST--
stream_select() waits in its coroutine: with data, until its timeout, and for buffered data
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$got = concurrently('stream_select', 0.2, function () {
    [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    Async\spawn(function () use ($there) { Async\delay(200); fwrite($there, 'x'); });
    [$read, $write, $except] = [[$here], null, null];
    return stream_select($read, $write, $except, 10);
});
echo array_sum($got), "\n";
$got = concurrently('timeout', 0.2, function () {
    [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    [$read, $write, $except] = [[$here], null, null];
    return stream_select($read, $write, $except, 0, 200_000);
});
echo array_sum($got), "\n";
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
cancelled('stream_select', function () use ($here) {
    [$read, $write, $except] = [[$here], null, null];
    return stream_select($read, $write, $except, null);
});
fwrite($there, "one\ntwo\n");
fgets($here);
[$read, $write, $except] = [[$here], null, null];
var_dump(stream_select($read, $write, $except, null), fgets($here));
?>
--EXPECT--
stream_select: concurrent
10
timeout: concurrent
0
stream_select: Coroutine cancelled
int(1)
string(4) "two
"
