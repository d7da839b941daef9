--TEST--
Awaiting a fired timeout throws again at once
--FILE--
<?php
use function Async\{await, timeout};
require __DIR__ . '/../says.inc';
$t = timeout(1);
says(fn () => await($t));
says(fn () => await($t));
?>
--EXPECT--
Async\TimeoutException: Timeout occurred after 1 milliseconds
Async\TimeoutException: Timeout occurred after 1 milliseconds
