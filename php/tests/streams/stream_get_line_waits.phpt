--TEST--
stream_get_line() waits until its delimiter has come
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(fn () => stream_get_line($here, 100, '|'));
suspend();
fwrite($there, 'one ');
suspend();
var_dump($reader->isCompleted());
fwrite($there, 'two|three');
echo await($reader), "\n";
?>
--EXPECT--
bool(false)
one two
