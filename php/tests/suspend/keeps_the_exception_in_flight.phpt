--TEST--
An exception in flight survives a suspension in finally, and others do not see it
--FILE--
<?php
use function Async\{spawn, await, suspend};
$a = spawn(function () { try { throw new Exception('mine'); } finally { suspend(); suspend(); } });
$b = spawn(function () { suspend(); return 'undisturbed'; });
echo await($b), "\n";
try { await($a); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
undisturbed
mine
