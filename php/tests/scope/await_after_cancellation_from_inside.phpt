--TEST--
A cancelled scope cannot be awaited from inside
--FILE--
<?php
use function Async\await;
$s = new Async\Scope;
$c = $s->spawn(function () use ($s) {
    $s->cancel();
    try { $s->awaitAfterCancellation(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
});
try { await($c); } catch (Async\AsyncCancellation) { echo "cancelled\n"; }
?>
--EXPECT--
Cannot await completion of scope from a coroutine that belongs to the same scope or its children
cancelled
