--TEST--
Coroutines that spawn coroutines, each awaited by its parent
--FILE--
<?php
use function Async\{spawn, await};
function deep(int $n) { return $n === 0 ? 0 : 1 + await(spawn('deep', $n - 1)); }
echo deep(200), "\n";
?>
--EXPECT--
200
