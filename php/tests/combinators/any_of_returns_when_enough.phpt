--TEST--
await_any_of() returns as soon as there are enough; the rest run on
--FILE--
<?php
use function Async\{spawn, suspend, await, await_any_of};
$slow = spawn(function () { suspend(); suspend(); suspend(); return 'slow'; });
[$values] = await_any_of(1, [$slow, spawn(fn () => 'fast')]);
echo json_encode($values), ' ', json_encode($slow->isCompleted()), ' ', await($slow), "\n";
?>
--EXPECT--
{"1":"fast"} false slow
