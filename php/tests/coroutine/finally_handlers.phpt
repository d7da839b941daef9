--TEST--
finally handlers run in order, on every outcome, with the coroutine; at once if it has ended
--FILE--
<?php
use function Async\{spawn, await, suspend, delay};
$c = spawn(fn () => 1);
$c->finally(function ($given) use ($c) { var_dump($given === $c); suspend(); echo "first\n"; });
$c->finally(function () { echo "second\n"; });
await($c);
delay(1);
$f = spawn(fn () => throw new Exception('x'));
$f->finally(fn () => print("after a failure\n"));
try { await($f); } catch (Exception) {}
delay(1);
$x = spawn(fn () => delay(10000));
$x->finally(fn ($c) => print('after a cancellation: ' . json_encode($c->isCancelled()) . "\n"));
$x->cancel();
delay(1);
$c->finally(fn () => print("at once\n"));
echo "main\n";
?>
--EXPECT--
bool(true)
first
second
after a failure
after a cancellation: true
at once
main
