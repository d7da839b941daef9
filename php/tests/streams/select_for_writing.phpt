--TEST--
stream_select() for writing returns at once while there is room
--FILE--
<?php
use function Async\{await, spawn};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
echo json_encode(await(spawn(function () use ($here) {
    [$read, $write, $except] = [[$here], [$here], null];
    return [stream_select($read, $write, $except, null), count($read), count($write)];
}))), "\n";
?>
--EXPECT--
[1,0,1]
