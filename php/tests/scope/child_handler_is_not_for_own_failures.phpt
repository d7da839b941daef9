--TEST--
R-SCP-18: the child handler is not asked about failures of the scope itself
--FILE--
<?php
use function Async\timeout;
$s = new Async\Scope;
$s->setChildScopeExceptionHandler(fn () => print("never\n"));
$s->spawn(fn () => throw new DomainException('own'));
try { $s->awaitCompletion(timeout(5000)); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
own
