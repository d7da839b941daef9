--TEST--
A hundred delays of 20 ms take far less than their sum
--FILE--
<?php
use function Async\{spawn, delay, await_all};
$t = hrtime(true);
await_all(array_map(fn () => spawn(fn () => delay(20)), range(1, 100)));
$ms = (hrtime(true) - $t) / 1e6;
var_dump($ms >= 20, $ms < 1000);
?>
--EXPECT--
bool(true)
bool(true)
