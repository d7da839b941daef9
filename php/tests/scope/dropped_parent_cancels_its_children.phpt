--TEST--
A dropped scope cancels the children that are still held
--FILE--
<?php
use function Async\{delay, suspend};
$parent = new Async\Scope;
$child = Async\Scope::inherit($parent);
$child->spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; } });
$parent->spawn(function () { delay(60000); });
suspend();
unset($parent);
suspend();
var_dump($child->isCancelled());
?>
--EXPECT--
Scope is being disposed due to object destruction
bool(true)
