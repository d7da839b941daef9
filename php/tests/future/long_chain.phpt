--TEST--
A chain of a thousand functions runs in their order
--FILE--
<?php
$future = new Async\Future($state = new Async\FutureState);
$last = $future;
for ($i = 0; $i < 1000; ++$i) $last = $last->map(fn ($x) => $x === $i ? $x + 1 : throw new LogicException("$x at $i"));
$state->complete(0);
var_dump($last->await());
?>
--EXPECT--
int(1000)
