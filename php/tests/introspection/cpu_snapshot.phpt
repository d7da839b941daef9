--TEST--
CpuSnapshot::now() counts up and knows the processors
--FILE--
<?php
use Async\CpuSnapshot;
$a = CpuSnapshot::now();
for ($i = 0; $i < 100000; ++$i);
$b = CpuSnapshot::now();
var_dump($b->wallNs > $a->wallNs, $b->processUserNs + $b->processSystemNs >= $a->processUserNs + $a->processSystemNs, $a->cpuCount >= 1, $a->systemIdleNs + $a->systemBusyNs > 0);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
