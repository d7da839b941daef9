--TEST--
Failures of child scopes go to the child handler of the parent
--FILE--
<?php
use function Async\{delay, timeout};
$s = new Async\Scope;
$s->setChildScopeExceptionHandler(function ($scope, $coroutine, $error) { echo 'child handler: ', $error->getMessage(), "\n"; });
$child = Async\Scope::inherit($s);
$child->spawn(function () { throw new Exception('of the child'); });
$s->spawn(function () { delay(5); echo "parent goes on\n"; });
$s->awaitCompletion(timeout(5000));
?>
--EXPECT--
child handler: of the child
parent goes on
