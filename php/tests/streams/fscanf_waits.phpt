--TEST--
fscanf() waits in its coroutine
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(function () use ($here) { echo "waits\n"; return fscanf($here, "%d %s"); });
suspend();
echo "others run\n";
fwrite($there, "5 apples\n");
echo json_encode(await($reader)), "\n";
?>
--EXPECT--
waits
others run
[5,"apples"]
