--TEST--
An exception handler receives the coroutine that failed
--FILE--
<?php
use function Async\timeout;
$s = new Async\Scope;
$failing = null;
$s->setExceptionHandler(function ($scope, $coroutine, $error) use (&$failing) {
    var_dump($coroutine === $failing, $coroutine->getException() === $error);
});
$failing = $s->spawn(fn () => throw new Exception);
$s->awaitCompletion(timeout(5000));
?>
--EXPECT--
bool(true)
bool(true)
