--TEST--
R-FUT-6: an exception of finally() has the failure of the future as its previous one
--FILE--
<?php
use Async\Future;
$first = new DomainException('first');
$future = Future::failed($first)->finally(fn () => throw new LogicException('second'));
try { $future->await(); } catch (LogicException $e) { echo $e->getMessage(), "\n"; var_dump($e->getPrevious() === $first); }
?>
--EXPECT--
second
bool(true)
