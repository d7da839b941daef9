--TEST--
await_all_or_fail() throws the first error; the others keep running
--FILE--
<?php
use function Async\{spawn, await, await_all_or_fail, delay};
$slow = spawn(function () { delay(5); return 'still finished'; });
try { await_all_or_fail([$slow, spawn(fn () => throw new Exception('first'))]); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
echo await($slow), "\n";
?>
--EXPECT--
first
still finished
