--TEST--
stream_socket_accept() gives up after its timeout
--FILE--
<?php
use function Async\{await, spawn};
$server = stream_socket_server('tcp://127.0.0.1:0');
var_dump(await(spawn(fn () => stream_socket_accept($server, 0.01))));
?>
--EXPECTF--

Warning: stream_socket_accept(): Accept failed: Connection timed out in %s on line %d
bool(false)
