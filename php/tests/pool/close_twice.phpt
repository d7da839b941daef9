--TEST--
A second close() does nothing
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, fn () => print("destroyed\n"), min: 1);
$pool->close();
$pool->close();
var_dump($pool->isClosed(), count($pool));
?>
--EXPECT--
destroyed
bool(true)
int(0)
