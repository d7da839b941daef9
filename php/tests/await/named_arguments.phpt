--TEST--
await() takes named arguments
--FILE--
<?php
use function Async\{spawn, await, timeout};
var_dump(await(cancellation: timeout(5000), awaitable: spawn(fn () => 1)));
?>
--EXPECT--
int(1)
