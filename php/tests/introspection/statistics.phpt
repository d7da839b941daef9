--TEST--
runtime_stats() is all zero before the start; available_parallelism() is at least 1
--FILE--
<?php
var_dump(array_filter(Async\runtime_stats()));
echo implode(' ', array_keys(Async\runtime_stats())), "\n";
Async\spawn(fn () => 1);
var_dump(Async\runtime_stats()['coroutines_total'], Async\runtime_stats()['coroutine_queue'], Async\runtime_stats()['fiber_pool_min'] > 0);
var_dump(Async\available_parallelism() >= 1, count(Async\loadavg()));
?>
--EXPECT--
array(0) {
}
coroutines_total coroutines_active microtasks_queue coroutine_queue resumed_queue fiber_pool_count fiber_pool_capacity fiber_pool_min fiber_stack_size fiber_pool_virtual_bytes
int(2)
int(1)
bool(true)
bool(true)
int(3)
