--TEST--
A coroutine spawned by a member belongs to the same scope
--FILE--
<?php
use function Async\{spawn, delay, timeout};
$s = new Async\Scope;
$s->spawn(function () { spawn(function () { delay(2); echo "grandchild\n"; }); });
$s->awaitCompletion(timeout(5000));
echo "complete\n";
?>
--EXPECT--
grandchild
complete
