--TEST--
The array is read when the call begins
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
$a = [spawn(function () { suspend(); return 1; })];
spawn(function () use (&$a) { $a[] = spawn(fn () => 2); });
echo json_encode(await_all($a)[0]), "\n";
?>
--EXPECT--
[1]
