--TEST--
R-FUT-7: a chain attached to a temporary future still resolves
--FILE--
<?php
function make() { $s = new Async\FutureState; Async\spawn(fn () => $s->complete('late')); return (new Async\Future($s))->map('strtoupper'); }
echo make()->await(), "\n";
try { Async\Future::completed(1)->map('no such function'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECTF--
LATE
Async\Future::map(): Argument #1 ($map) must be a valid callback, function "no such function" not found or invalid function name
%A
