--TEST--
loadavg() gives three floats
--FILE--
<?php
use function Async\loadavg;
foreach (loadavg() as $l) var_dump(is_float($l) && $l >= 0);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
