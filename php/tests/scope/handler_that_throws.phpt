--TEST--
R-SCP-18: a handler that throws cancels the scope; its exception keeps the first one
--FILE--
<?php
use function Async\{suspend, timeout};
$s = new Async\Scope;
$s->setExceptionHandler(fn () => throw new LogicException('of the handler'));
$other = $s->spawn(function () { Async\delay(60000); });
$s->spawn(fn () => throw new DomainException('of the coroutine'));
try {
    $s->awaitCompletion(timeout(5000));
} catch (LogicException $e) {
    echo $e->getMessage(), ' after ', $e->getPrevious()->getMessage(), "\n";
}
var_dump($s->isCancelled());
?>
--EXPECT--
of the handler after of the coroutine
bool(true)
