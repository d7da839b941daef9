--TEST--
R-SCP-18: when the child handler throws, the exception handler is asked
--FILE--
<?php
use function Async\timeout;
$parent = new Async\Scope;
$parent->setChildScopeExceptionHandler(function () { echo "child handler\n"; throw new LogicException; });
$parent->setExceptionHandler(fn () => print("exception handler\n"));
$child = Async\Scope::inherit($parent);
$child->spawn(fn () => throw new DomainException);
$parent->awaitCompletion(timeout(5000));
var_dump($parent->isCancelled());
?>
--EXPECT--
child handler
exception handler
bool(false)
