--TEST--
The tasks of a group that is dropped learn why they are cancelled
--FILE--
<?php
use function Async\{delay, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; } });
suspend();
unset($g);
?>
--EXPECT--
Scope is being disposed due to TaskGroup destruction
