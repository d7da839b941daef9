--TEST--
Thousands of coroutines wait at the same time
--FILE--
<?php
use function Async\{spawn, await, delay};
$all = [];
for ($i = 0; $i < 5000; ++$i) $all[] = spawn(function () use ($i) { delay(1); return $i; });
$sum = 0;
foreach ($all as $c) $sum += await($c);
var_dump($sum);
?>
--EXPECT--
int(12497500)
