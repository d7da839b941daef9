--TEST--
After main has met a cancellation, set_exception_handler() and restore_exception_handler() work as before
--FILE--
<?php
use function Async\{spawn, await};
$cancelled = function () {
    $c = spawn(fn() => null);
    $c->cancel();
    try { await($c); } catch (Async\AsyncCancellation) {}
};
$old = fn($e) => print("old: {$e->getMessage()}\n");
$new = fn($e) => print("new: {$e->getMessage()}\n");
$cancelled();
var_dump(set_exception_handler($old));
$cancelled();
var_dump(set_exception_handler($new) === $old);
restore_exception_handler();
var_dump(set_exception_handler($new) === $old);
spawn(function () { throw new Exception('x'); });
?>
--EXPECT--
NULL
bool(true)
bool(true)
new: x
