--TEST--
dispose() cancels the tasks and says why
--FILE--
<?php
use function Async\{delay, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; } });
suspend();
$g->dispose();
try { $g->spawn(fn () => 1); } catch (Async\AsyncException $e) { echo get_class($e), "\n"; }
suspend();
var_dump($g->isFinished());
?>
--EXPECT--
Async\AsyncException
Scope is being disposed due to TaskGroup disposal
bool(true)
