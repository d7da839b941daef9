--TEST--
A function of catch() that throws replaces the failure
--FILE--
<?php
use Async\Future;
$future = Future::failed(new DomainException('first'))->catch(fn ($e) => throw new LogicException('after ' . $e->getMessage()));
try { $future->await(); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
after first
