--TEST--
A thousand coroutines end in the order of their spawning
--FILE--
<?php
use function Async\{spawn, suspend};
$log = [];
for ($i = 0; $i < 1000; ++$i) spawn(function () use (&$log, $i) { suspend(); $log[] = $i; });
suspend();
suspend();
var_dump($log === range(0, 999));
?>
--EXPECT--
bool(true)
