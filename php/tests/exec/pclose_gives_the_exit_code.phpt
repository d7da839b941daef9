--TEST--
pclose() gives the exit code of its command
--FILE--
<?php
use function Async\{await, spawn};
$work = function () { $pipe = popen('cat >/dev/null; exit 6', 'w'); fwrite($pipe, 'x'); return pclose($pipe); };
var_dump(await(spawn($work)), $work());
?>
--EXPECT--
int(6)
int(6)
