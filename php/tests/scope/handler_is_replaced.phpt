--TEST--
R-SCP-19: a second handler replaces the first
--FILE--
<?php
use function Async\timeout;
$s = new Async\Scope;
$s->setExceptionHandler(fn () => print("first\n"));
$s->setExceptionHandler(fn () => print("second\n"));
$s->spawn(fn () => throw new Exception);
$s->awaitCompletion(timeout(5000));
?>
--EXPECT--
second
