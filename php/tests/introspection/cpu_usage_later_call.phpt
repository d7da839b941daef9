--TEST--
A later cpu_usage() is the change since the one before
--FILE--
<?php
use function Async\{available_parallelism, cpu_usage};
cpu_usage();
for ($i = 0; $i < 100000; ++$i);
$u = cpu_usage();
var_dump($u['interval_sec'] > 0, $u['cpu_count'] === available_parallelism(), count($u['loadavg']));
?>
--EXPECT--
bool(true)
bool(true)
int(3)
