--TEST--
The cancellation of a member is an error like others
--FILE--
<?php
use function Async\{spawn, suspend, delay, await_first_success};
$c = spawn(fn () => delay(60000));
suspend();
$c->cancel();
[$value, $errors] = await_first_success(['c' => $c, 'ok' => spawn(fn () => 1)]);
echo $value, ' ', get_class($errors['c']), "\n";
?>
--EXPECT--
1 Async\AsyncCancellation
