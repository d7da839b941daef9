--TEST--
R-TMO-2: the clock of a timeout starts when it is first waited on
--FILE--
<?php
use function Async\{spawn, await, delay, timeout};
$t = timeout(400);
delay(500);
$c = spawn(function () { delay(5); return 'in time'; });
echo await($c, $t), "\n";
var_dump($t->isCompleted());
?>
--EXPECT--
in time
bool(false)
