--TEST--
stream_select() with a time of zero only looks
--FILE--
<?php
use function Async\{await, spawn};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$look = function () use ($here) { [$read, $write, $except] = [['k' => $here], null, null]; return [stream_select($read, $write, $except, 0), array_keys($read)]; };
echo json_encode(await(spawn($look))), "\n";
fwrite($there, 'x');
echo json_encode(await(spawn($look))), "\n";
?>
--EXPECT--
[0,[]]
[1,["k"]]
