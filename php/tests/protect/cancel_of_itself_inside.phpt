--TEST--
A coroutine that cancels itself inside a section finishes the section
--FILE--
<?php
use function Async\{spawn, suspend, protect, await, current_coroutine};
require __DIR__ . '/../says.inc';
$c = spawn(function () { protect(function () { current_coroutine()->cancel(); suspend(); echo "section ends\n"; }); echo "never\n"; });
says(fn () => await($c));
?>
--EXPECT--
section ends
Async\AsyncCancellation: Coroutine cancelled
