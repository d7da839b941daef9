--TEST--
The error of a completed member is thrown at once
--FILE--
<?php
use function Async\{spawn, suspend, delay, await_all_or_fail};
require __DIR__ . '/../says.inc';
$a = spawn(fn () => throw new Exception('early'));
suspend();
$slow = spawn(fn () => delay(60000));
says(fn () => await_all_or_fail([$slow, $a]));
$slow->cancel();
?>
--EXPECT--
Exception: early
