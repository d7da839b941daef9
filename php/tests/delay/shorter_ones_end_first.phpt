--TEST--
Delays end in the order of their times
--FILE--
<?php
use function Async\{spawn, delay};
foreach ([30, 10, 20] as $ms) spawn(function () use ($ms) { delay($ms); echo "$ms\n"; });
?>
--EXPECT--
10
20
30
