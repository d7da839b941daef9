--TEST--
Work before the call does not shorten the delay
--FILE--
<?php
use function Async\{suspend, delay};
suspend();
$until = hrtime(true) + 15_000_000;
while (hrtime(true) < $until);
$t = hrtime(true);
delay(10);
var_dump((hrtime(true) - $t) / 1e6 >= 10);
?>
--EXPECT--
bool(true)
