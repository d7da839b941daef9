--TEST--
stream_select() tells which of its streams are ready
--FILE--
<?php
use function Async\{await, spawn, suspend};
$pairs = [];
foreach (['a', 'b', 'c'] as $name) $pairs[$name] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$waiter = spawn(function () use ($pairs) {
    [$read, $write, $except] = [array_map(fn ($pair) => $pair[0], $pairs), null, null];
    $n = stream_select($read, $write, $except, null);
    return [$n, array_keys($read)];
});
suspend();
fwrite($pairs['b'][1], 'x');
echo json_encode(await($waiter)), "\n";
?>
--EXPECT--
[1,["b"]]
