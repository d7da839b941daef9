--TEST--
Streams over a socket of the file system
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$path = sys_get_temp_dir() . '/weft-' . getmypid() . '.socket';
[, $server] = line_server("unix://$path", 100);
$got = concurrently('unix', 0.1, function ($i) use ($path) {
    $stream = stream_socket_client("unix://$path");
    fwrite($stream, "line $i\n");
    return rtrim(fgets($stream));
});
echo implode(', ', $got), "\n";
cancelled('fgets', fn() => fgets(stream_socket_client("unix://$path")));
$server->cancel();
unlink($path);
?>
--EXPECT--
unix: concurrent
LINE 0, LINE 1, LINE 2, LINE 3, LINE 4, LINE 5, LINE 6, LINE 7, LINE 8, LINE 9
fgets: Coroutine cancelled
