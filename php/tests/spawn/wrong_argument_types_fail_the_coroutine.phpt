--TEST--
An argument of a wrong type fails the coroutine, not spawn()
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(function (int $a) {}, 'x');
echo "spawned\n";
try { await($c); } catch (TypeError $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
spawned
TypeError
