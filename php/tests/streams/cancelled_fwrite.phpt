--TEST--
A cancellation ends a fwrite() that waits
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$writer = spawn(function () use ($here) { for (;;) fwrite($here, str_repeat('x', 65536)); });
suspend();
var_dump($writer->isSuspended());
$writer->cancel();
try { await($writer); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
bool(true)
Coroutine cancelled
