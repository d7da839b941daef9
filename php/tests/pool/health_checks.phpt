--TEST--
A resource that is not healthy is destroyed between its uses
--FILE--
<?php
use function Async\delay;
$pool = new Async\Pool(fn () => new stdClass, fn () => print("destroyed\n"), healthcheck: fn () => false, min: 1, healthcheckInterval: 2);
delay(10);
var_dump($pool->idleCount() <= 1);
$pool->close();
?>
--EXPECTF--
destroyed
%Abool(true)%A
