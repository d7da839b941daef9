--TEST--
R-RPL-5: when a factory fails, a waiter is woken to try itself
--FILE--
<?php
use function Async\{await, spawn, suspend};
$calls = 0;
$gate = new Async\Future($state = new Async\FutureState);
$pool = new Async\Pool(function () use (&$calls, $gate) {
    if (++$calls > 1) return new stdClass;
    $gate->await();
    throw new DomainException('cannot connect');
}, max: 1);
$first = spawn(fn () => $pool->acquire());
suspend();
$second = spawn(fn () => $pool->acquire());
suspend();
$state->complete(null);
try { await($first); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
var_dump(is_object(await($second)), $calls, count($pool));
?>
--EXPECT--
cannot connect
bool(true)
int(2)
int(1)
