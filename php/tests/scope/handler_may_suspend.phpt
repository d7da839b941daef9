--TEST--
An exception handler may suspend
--FILE--
<?php
use function Async\{delay, timeout};
$s = new Async\Scope;
$s->setExceptionHandler(function ($scope, $coroutine, $error) { delay(1); echo 'handled ', $error->getMessage(), "\n"; });
$s->spawn(fn () => throw new Exception('late'));
$s->spawn(function () { delay(5); });
$s->awaitCompletion(timeout(5000));
var_dump($s->isCancelled());
?>
--EXPECT--
handled late
bool(false)
