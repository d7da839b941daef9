--TEST--
The first cpu_usage() of a request has zeros
--FILE--
<?php
use function Async\cpu_usage;
$u = cpu_usage();
echo implode(' ', array_keys($u)), "\n";
var_dump($u['process_cores'], $u['process_percent'], $u['system_percent'], $u['interval_sec']);
?>
--EXPECT--
process_cores process_percent system_percent cpu_count interval_sec loadavg
float(0)
float(0)
float(0)
float(0)
