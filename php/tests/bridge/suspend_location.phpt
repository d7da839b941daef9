--TEST--
A coroutine that waits in a blocking function names the line of its call
--FILE--
<?php
use function Async\{spawn, suspend};
$c = spawn(function () {
    usleep(20000);
});
suspend();
var_dump($c->getSuspendLocation() === __FILE__ . ':4');
?>
--EXPECT--
bool(true)
