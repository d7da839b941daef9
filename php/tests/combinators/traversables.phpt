--TEST--
Triggers may come from an iterator, whose exception reaches the caller
--FILE--
<?php
use function Async\{spawn, await_all_or_fail, suspend};
function tasks() { foreach (['x', 'y'] as $k) { suspend(); yield $k => spawn(fn () => "value $k"); } }
echo json_encode(await_all_or_fail(tasks())), "\n";
echo json_encode(await_all_or_fail(new ArrayIterator([spawn(fn () => 1)]))), "\n";
function broken() { yield spawn(fn () => 1); throw new Exception('of the iterator'); }
try { await_all_or_fail(broken()); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
function keys() { yield 1.5 => spawn(fn () => 1); }
try { await_all_or_fail(keys()); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
{"x":"value x","y":"value y"}
[1]
of the iterator
Invalid key type: must be string, long or null
