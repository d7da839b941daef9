--TEST--
disposeSafely() drops coroutines that have not started
--FILE--
<?php
use function Async\{await, delay, suspend};
$s = new Async\Scope;
$started = $s->spawn(function () { delay(1); return 'ends by itself'; });
suspend();
$waiting = $s->spawn(fn () => print("never\n"));
$s->disposeSafely();
try { await($waiting); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
var_dump(await($started));
?>
--EXPECT--
Scope was cancelled
string(14) "ends by itself"
