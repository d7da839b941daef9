--TEST--
cancel() cancels all coroutines and child scopes; awaiting the scope throws
--FILE--
<?php
use function Async\{delay, suspend, timeout};
$s = new Async\Scope;
$child = Async\Scope::inherit($s);
foreach ([$s, $child] as $i => $where) {
    $where->spawn(function () use ($i) { try { delay(10000); } catch (Async\AsyncCancellation $e) { echo "$i: ", $e->getMessage(), "\n"; throw $e; } });
}
suspend();
$s->cancel();
var_dump($s->isCancelled(), $child->isCancelled());
try { $s->awaitCompletion(timeout(100)); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$s->awaitAfterCancellation();
var_dump($s->isFinished(), $s->isClosed());
?>
--EXPECT--
bool(true)
bool(true)
The scope has been cancelled
1: Scope was cancelled
0: Scope was cancelled
bool(true)
bool(true)
