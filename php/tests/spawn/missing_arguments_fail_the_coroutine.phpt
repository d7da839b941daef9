--TEST--
Too few arguments fail the coroutine, not spawn()
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(function (int $a) {});
echo "spawned\n";
try { await($c); } catch (ArgumentCountError $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
spawned
ArgumentCountError
