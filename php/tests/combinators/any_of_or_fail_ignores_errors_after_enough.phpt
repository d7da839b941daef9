--TEST--
An error that comes when there are enough values is not thrown
--FILE--
<?php
use function Async\{spawn, suspend, await, await_any_of_or_fail};
require __DIR__ . '/../says.inc';
$late = spawn(function () { suspend(); suspend(); throw new Exception('late'); });
echo json_encode(await_any_of_or_fail(1, [$late, spawn(fn () => 1)])), "\n";
says(fn () => await($late));
?>
--EXPECT--
{"1":1}
Exception: late
