--TEST--
After false the generator is not asked again
--FILE--
<?php
use function Async\iterate;
$produced = 0;
$numbers = (function () use (&$produced) { for (;;) yield ++$produced; })();
iterate($numbers, fn ($x) => $x < 3, 1);
var_dump($produced);
?>
--EXPECT--
int(3)
