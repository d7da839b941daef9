--TEST--
A member that has completed counts at once, at every position
--FILE--
<?php
use function Async\{spawn, delay, await, await_any_or_fail};
$done = spawn(fn () => 'done');
await($done);
$slow = spawn(fn () => delay(60000));
var_dump(await_any_or_fail([$slow, $done]), await_any_or_fail([$done, $slow]));
$slow->cancel();
?>
--EXPECT--
string(4) "done"
string(4) "done"
