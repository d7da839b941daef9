--TEST--
socket_close() of a socket that was imported from a stream wakes the reader of the stream, and waits until it has left
--EXTENSIONS--
sockets
--FILE--
<?php
$sockets = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$socket = socket_import_stream($sockets[0]);
$reader = Async\spawn(function () use (&$sockets) { return @fread($sockets[0], 10); });
Async\suspend();
socket_close($socket);
var_dump($reader->isCompleted(), (bool) Async\await($reader));
?>
--EXPECT--
bool(true)
bool(false)
