--TEST--
All waiters of a future get its value, in the order of their arrival
--FILE--
<?php
use function Async\{spawn, suspend};
$future = new Async\Future($state = new Async\FutureState);
foreach ([1, 2, 3] as $i) spawn(function () use ($future, $i) { $value = $future->await(); echo "$i: $value\n"; });
suspend();
$state->complete('v');
?>
--EXPECT--
1: v
2: v
3: v
