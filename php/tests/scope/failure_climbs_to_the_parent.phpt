--TEST--
R-SCP-18: a failure that a child does not handle cancels the child and goes to the handler of the parent
--FILE--
<?php
use function Async\{delay, suspend, timeout};
$parent = new Async\Scope;
$log = [];
$parent->setExceptionHandler(function ($scope, $coroutine, $error) use (&$log) { $log[] = 'handled: ' . $error->getMessage(); });
$child = Async\Scope::inherit($parent);
$child->spawn(function () use (&$log) { try { delay(60000); } finally { $log[] = 'sibling is cancelled'; } });
$child->spawn(fn () => throw new Exception('of the child'));
$parent->spawn(function () use (&$log) { delay(2); $log[] = 'parent goes on'; });
$parent->awaitCompletion(timeout(5000));
sort($log);
echo implode("\n", $log), "\n";
var_dump($child->isCancelled(), $parent->isCancelled());
?>
--EXPECT--
handled: of the child
parent goes on
sibling is cancelled
bool(true)
bool(false)
