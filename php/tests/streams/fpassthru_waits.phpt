--TEST--
fpassthru() waits in its coroutine, and prints into the buffer of that coroutine
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(function () use ($here) { ob_start(); $n = fpassthru($here); return [$n, ob_get_clean()]; });
suspend();
echo "others run\n";
fwrite($there, 'passed through');
fclose($there);
echo json_encode(await($reader)), "\n";
?>
--EXPECT--
others run
[14,"passed through"]
