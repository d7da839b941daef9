--TEST--
A resource that is made while the pool is closed is not lent
--FILE--
<?php
use function Async\{await, spawn, suspend};
$gate = new Async\Future($state = new Async\FutureState);
$pool = new Async\Pool(function () use ($gate) { $gate->await(); return new stdClass; }, fn () => print("destroyed\n"));
$caller = spawn(fn () => $pool->acquire());
suspend();
$pool->close();
$state->complete(null);
try { await($caller); echo "lent\n"; } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
destroyed
Pool is closed
