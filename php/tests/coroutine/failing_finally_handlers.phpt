--TEST--
O-9: failures of finally handlers go to the scope's handler as one composite
--FILE--
<?php
use function Async\{delay};
$scope = new Async\Scope;
$scope->setExceptionHandler(function ($scope, $coroutine, $error) {
    echo get_class($error), ': ', $error->getMessage(), "\n";
    if ($error instanceof Async\CompositeException) foreach ($error->getExceptions() as $e) echo '  ', $e->getMessage(), "\n";
});
$c = $scope->spawn(function () { throw new Exception('body'); });
$c->finally(fn () => throw new Exception('handler 1'));
$c->finally(fn () => throw new Exception('handler 2'));
unset($c);
delay(5);
?>
--EXPECTF--
Exception: body
Async\CompositeException: 2 exceptions
  handler 1
  handler 2
