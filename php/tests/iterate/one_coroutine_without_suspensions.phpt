--TEST--
R-ITR-8: callbacks that do not suspend run in one coroutine
--FILE--
<?php
$ids = [];
Async\iterate(range(1, 5), function () use (&$ids) { $ids[] = Async\current_coroutine()->getId(); });
var_dump(count($ids), count(array_unique($ids)));
?>
--EXPECT--
int(5)
int(1)
