--TEST--
A timeout fires not before its time
--FILE--
<?php
use function Async\{await, timeout};
require __DIR__ . '/../says.inc';
$start = hrtime(true);
says(fn () => await(timeout(15)));
var_dump((hrtime(true) - $start) / 1e6 >= 15);
?>
--EXPECT--
Async\TimeoutException: Timeout occurred after 15 milliseconds
bool(true)
