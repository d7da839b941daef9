--TEST--
gzclose() by another coroutine ends a read as fclose() does
--EXTENSIONS--
zlib
--FILE--
<?php
$sockets = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = Async\spawn(function () use (&$sockets) { return @fread($sockets[0], 10); });
Async\suspend();
gzclose($sockets[0]);
var_dump($reader->isCompleted(), (bool) Async\await($reader));
?>
--EXPECT--
bool(true)
bool(false)
