--TEST--
stream_socket_client(), fgets() and fwrite() over TCP
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
[$name, $server] = line_server('tcp://127.0.0.1:0', 100);
$got = concurrently('tcp', 0.1, function ($i) use ($name) {
    $stream = stream_socket_client("tcp://$name", $code, $text, 5);
    fwrite($stream, "line $i\n");
    return rtrim(fgets($stream));
});
echo implode(', ', $got), "\n";
$got = concurrently('fsockopen', 0.1, function ($i) use ($name) {
    [$host, $port] = explode(':', $name);
    $stream = fsockopen($host, (int) $port);
    fwrite($stream, "f$i\n");
    return rtrim(fgets($stream));
});
echo implode(', ', $got), "\n";
cancelled('fgets', fn() => fgets(stream_socket_client("tcp://$name")));
cancelled('fread', fn() => fread(stream_socket_client("tcp://$name"), 100));
cancelled('stream_get_contents', fn() => stream_get_contents(stream_socket_client("tcp://$name")));
cancelled('accept', fn() => stream_socket_accept(stream_socket_server('tcp://127.0.0.1:0'), 20));
var_dump(@stream_socket_client('tcp://127.0.0.1:1', $code, $text, 1), $text);
$server->cancel();
?>
--EXPECT--
tcp: concurrent
LINE 0, LINE 1, LINE 2, LINE 3, LINE 4, LINE 5, LINE 6, LINE 7, LINE 8, LINE 9
fsockopen: concurrent
F0, F1, F2, F3, F4, F5, F6, F7, F8, F9
fgets: Coroutine cancelled
fread: Coroutine cancelled
stream_get_contents: Coroutine cancelled
accept: Coroutine cancelled
bool(false)
string(18) "Connection refused"
