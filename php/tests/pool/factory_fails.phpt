--TEST--
A factory that throws or gives null fails the acquire
--FILE--
<?php
$pool = new Async\Pool(fn () => throw new DomainException('cannot connect'));
try { $pool->acquire(); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
$pool = new Async\Pool(fn () => null);
try { $pool->acquire(); } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
cannot connect
Failed to create pool resource
