--TEST--
A command reads from one pipe and writes to another, each with its own coroutine
--FILE--
<?php
use function Async\{await, spawn};
$process = proc_open('cat', [['pipe', 'r'], ['pipe', 'w']], $pipes);
$text = str_repeat("0123456789abcde\n", 1 << 15);
$writer = spawn(function () use ($pipes, $text) { for ($n = 0; $n < strlen($text);) $n += fwrite($pipes[0], substr($text, $n, 100000)); fclose($pipes[0]); return $n; });
$reader = spawn(fn () => stream_get_contents($pipes[1]));
var_dump(await($reader) === $text, await($writer), proc_close($process));
?>
--EXPECT--
bool(true)
int(524288)
int(0)
