--TEST--
Every function of the API exists
--FILE--
<?php
foreach (['spawn', 'spawn_with', 'suspend', 'protect', 'delay', 'await', 'await_any_or_fail', 'await_first_success', 'await_all_or_fail', 'await_all', 'await_any_of_or_fail', 'await_any_of', 'timeout', 'signal', 'iterate', 'current_context', 'coroutine_context', 'root_context', 'request_context', 'current_coroutine', 'get_coroutines', 'graceful_shutdown', 'spawn_thread', 'available_parallelism', 'runtime_stats', 'cpu_usage', 'loadavg'] as $name) {
    if (!function_exists("Async\\$name")) echo "$name is missing\n";
}
echo "done\n";
?>
--EXPECT--
done
