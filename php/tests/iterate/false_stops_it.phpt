--TEST--
A callback that returns false ends the iteration
--FILE--
<?php
use function Async\iterate;
iterate([1, 2, 3], function ($x) { echo "$x\n"; return $x < 2; });
?>
--EXPECT--
1
2
