--TEST--
An exception handler receives scope, coroutine and error; the others go on
--FILE--
<?php
use function Async\{delay, timeout};
$s = new Async\Scope;
$failing = null;
$s->setExceptionHandler(function ($scope, $coroutine, $error) use ($s, &$failing) {
    echo json_encode([$scope === $s, $coroutine instanceof Async\Coroutine]), ' ', $error->getMessage(), "\n";
});
$s->spawn(function () { throw new Exception('handled'); });
$s->spawn(function () { delay(5); echo "the other goes on\n"; });
$s->awaitCompletion(timeout(5000));
var_dump($s->isCancelled());
?>
--EXPECT--
[true,true] handled
the other goes on
bool(false)
