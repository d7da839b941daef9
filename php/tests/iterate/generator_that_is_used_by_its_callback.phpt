--TEST--
A callback that advances the generator it is called for changes what comes next
--FILE--
<?php
$g = (function () { yield 1; yield 2; yield 3; })();
Async\iterate($g, function ($x) use ($g) { echo "$x\n"; $g->next(); });
?>
--EXPECT--
1
3
