--TEST--
An exception of the iterator reaches the caller though members still run
--FILE--
<?php
use function Async\{spawn, delay, await_all};
require __DIR__ . '/../says.inc';
$slow = null;
function broken(&$slow) { yield $slow = spawn(fn () => delay(60000)); throw new Exception('of the iterator'); }
says(function () use (&$slow) { return await_all(broken($slow)); });
var_dump($slow->isCompleted());
$slow->cancel();
?>
--EXPECT--
Exception: of the iterator
bool(false)
