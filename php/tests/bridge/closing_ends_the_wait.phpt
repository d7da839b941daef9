--TEST--
fclose() by another coroutine ends a read
--FILE--
<?php
$sockets = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = Async\spawn(function () use (&$sockets) { return @fread($sockets[0], 10); });
Async\delay(5);
fclose($sockets[0]);
var_dump((bool) Async\await($reader));
?>
--EXPECT--
bool(false)
