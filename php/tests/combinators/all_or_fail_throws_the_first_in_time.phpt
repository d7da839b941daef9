--TEST--
The error that comes first in time is thrown, whatever its key
--FILE--
<?php
use function Async\{spawn, suspend, await_all_or_fail};
require __DIR__ . '/../says.inc';
says(fn () => await_all_or_fail(['late' => spawn(function () { suspend(); suspend(); throw new Exception('late'); }), 'early' => spawn(fn () => throw new Exception('early'))]));
suspend();
suspend();
?>
--EXPECT--
Exception: early
