--TEST--
runtime_stats() counts main and the queued coroutines
--FILE--
<?php
use function Async\{spawn, await, runtime_stats};
$c = spawn(fn () => 1);
$s = runtime_stats();
var_dump($s['coroutines_total'], $s['coroutine_queue']);
await($c);
var_dump(runtime_stats()['coroutines_total']);
?>
--EXPECT--
int(2)
int(1)
int(1)
