<?php
var_dump(array_filter(Async\runtime_stats()));
echo implode(' ', array_keys(Async\runtime_stats())), "\n";
Async\spawn(fn () => 1);
var_dump(Async\runtime_stats()['coroutines_total'], Async\runtime_stats()['coroutine_queue'], Async\runtime_stats()['fiber_pool_min']);
var_dump(Async\available_parallelism() >= 1, count(Async\loadavg()));
?>
