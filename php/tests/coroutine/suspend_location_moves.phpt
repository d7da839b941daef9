--TEST--
The place of suspension is that of the last one
--FILE--
<?php
use function Async\{spawn, suspend};
$c = spawn(function () {
    suspend();
    suspend();
});
suspend();
$first = $c->getSuspendFileAndLine()[1];
suspend();
var_dump($c->getSuspendFileAndLine()[1] - $first);
?>
--EXPECT--
int(1)
