--TEST--
runtime_stats() has zeros before the runtime starts
--FILE--
<?php
use function Async\runtime_stats;
$s = runtime_stats();
var_dump($s['coroutines_total'], $s['coroutine_queue'], count($s));
?>
--EXPECT--
int(0)
int(0)
int(10)
