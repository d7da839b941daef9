--TEST--
await_any_or_fail() gives the first that settles, or throws it; null for none
--FILE--
<?php
use function Async\{spawn, await_any_or_fail, delay};
$slow = spawn(function () { delay(3); return 'slow'; });
var_dump(await_any_or_fail([$slow, spawn(fn () => 'fast')]), await_any_or_fail([]));
try { await_any_or_fail([$slow, spawn(fn () => throw new Exception('fails first'))]); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
string(4) "fast"
NULL
fails first
