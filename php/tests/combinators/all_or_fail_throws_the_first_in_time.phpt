--TEST--
The error that comes first in time is thrown, whatever its key
--FILE--
<?php
use function Async\{spawn, suspend, await, await_all_or_fail};
require __DIR__ . '/../says.inc';
$late = spawn(function () { suspend(); suspend(); throw new Exception('late'); });
says(fn () => await_all_or_fail(['late' => $late, 'early' => spawn(fn () => throw new Exception('early'))]));
says(fn () => await($late));
?>
--EXPECT--
Exception: early
Exception: late
