--TEST--
A callback may iterate itself
--FILE--
<?php
use function Async\{iterate, suspend};
iterate(['a', 'b'], function ($x) { iterate([1, 2], function ($y) use ($x) { suspend(); echo "$x$y\n"; }, 1); }, 1);
?>
--EXPECT--
a1
a2
b1
b2
