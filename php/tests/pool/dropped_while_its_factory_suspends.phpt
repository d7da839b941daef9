--TEST--
A pool whose variable goes while its factory suspends is dropped when acquire() has ended
--FILE--
<?php
use function Async\{await, spawn, suspend};
$pool = new Async\Pool(function () { suspend(); suspend(); return new stdClass; }, fn () => print("destroyed\n"));
$caller = spawn((fn ($pool) => get_class($pool->acquire()))(...), $pool);
suspend();
unset($pool);
echo await($caller), "\n";
?>
--EXPECT--
destroyed
stdClass
