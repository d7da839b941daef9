--TEST--
R-RPL-1: the limit holds while a factory suspends
--FILE--
<?php
use function Async\{await, delay, spawn};
$made = 0;
$pool = new Async\Pool(function () use (&$made) { ++$made; delay(1); return new stdClass; }, max: 1);
$use = function () use ($pool) { $r = $pool->acquire(); $pool->release($r); return spl_object_id($r); };
$a = spawn($use);
$b = spawn($use);
var_dump(await($a) === await($b), $made, count($pool));
?>
--EXPECT--
bool(true)
int(1)
int(1)
