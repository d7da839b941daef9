--TEST--
One coroutine may read a stream while another writes to it
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(fn () => fgets($here));
suspend();
$writer = spawn(fn () => fwrite($here, "question\n"));
var_dump(await($writer), fgets($there));
fwrite($there, "answer\n");
var_dump(await($reader));
?>
--EXPECT--
int(9)
string(9) "question
"
string(7) "answer
"
