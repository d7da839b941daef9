--TEST--
fwrite() waits while the other side does not read, and writes all
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$text = str_repeat('0123456789abcdef', 1 << 17);
$writer = spawn(function () use ($here, $text) { $n = 0; while ($n < strlen($text)) $n += fwrite($here, substr($text, $n)); fclose($here); return $n; });
suspend();
var_dump($writer->isCompleted());
var_dump(stream_get_contents($there) === $text, await($writer));
?>
--EXPECT--
bool(false)
bool(true)
int(2097152)
