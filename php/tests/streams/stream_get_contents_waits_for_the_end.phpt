--TEST--
stream_get_contents() waits until the other side has closed
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(fn () => stream_get_contents($here));
foreach (['a', 'b', 'c'] as $part) { fwrite($there, $part); suspend(); suspend(); }
var_dump($reader->isCompleted());
fclose($there);
var_dump(await($reader), feof($here));
?>
--EXPECT--
bool(false)
string(3) "abc"
bool(true)
