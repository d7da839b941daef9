--TEST--
Cancelling the scope is deferred too
--FILE--
<?php
use Async\Scope;
use function Async\{suspend, protect, await};
require __DIR__ . '/../says.inc';
$s = new Scope;
$c = $s->spawn(function () { protect(function () { suspend(); echo "section ends\n"; }); echo "never\n"; });
suspend();
$s->cancel();
says(fn () => await($c));
?>
--EXPECT--
section ends
Async\AsyncCancellation: Scope was cancelled
