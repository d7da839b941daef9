--TEST--
Each waiter gets the same exception object
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(function () { suspend(); throw new Exception('x'); });
$catch = function () use ($c) { try { await($c); } catch (Exception $e) { return $e; } };
[$a, $b] = [spawn($catch), spawn($catch)];
var_dump(await($a) === await($b));
?>
--EXPECT--
bool(true)
