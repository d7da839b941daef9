--TEST--
R-SCP-18: the handler of the scope itself comes before the child handler of its parent
--FILE--
<?php
use function Async\timeout;
$parent = new Async\Scope;
$parent->setChildScopeExceptionHandler(fn () => print("parent\n"));
$child = Async\Scope::inherit($parent);
$child->setExceptionHandler(fn () => print("own\n"));
$child->spawn(fn () => throw new Exception);
$parent->awaitCompletion(timeout(5000));
var_dump($child->isCancelled());
?>
--EXPECT--
own
bool(false)
