--TEST--
An exception handler may replace itself while it runs
--FILE--
<?php
use function Async\{suspend, timeout};
$s = new Async\Scope;
$kept = new ArrayObject(['kept']);
$s->setExceptionHandler(function ($scope, $coroutine, $error) use ($kept) {
    $scope->setExceptionHandler(fn ($scope, $coroutine, $error) => print('second: ' . $error->getMessage() . "\n"));
    suspend();
    echo 'first: ', $error->getMessage(), ' ', $kept[0], "\n";
});
unset($kept);
$s->spawn(fn () => throw new Exception('a'));
$s->awaitCompletion(timeout(5000));
$s->spawn(fn () => throw new Exception('b'));
$s->awaitCompletion(timeout(5000));
?>
--EXPECT--
first: a kept
second: b
