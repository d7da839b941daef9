--TEST--
fgetc() waits in its coroutine
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(function () use ($here) { echo "waits\n"; return fgetc($here) . fgetc($here); });
suspend();
echo "others run\n";
fwrite($there, 'xyz');
echo await($reader), "\n";
?>
--EXPECT--
waits
others run
xy
