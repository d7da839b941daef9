--TEST--
await_all() gives the cancellation of a member as its error
--FILE--
<?php
use function Async\{spawn, suspend, delay, await_all};
$c = spawn(fn () => delay(60000));
suspend();
$c->cancel();
[$values, $errors] = await_all(['c' => $c, 'd' => spawn(fn () => 1)]);
echo json_encode($values), ' ', $errors['c']->getMessage(), "\n";
?>
--EXPECT--
{"d":1} Coroutine cancelled
