--TEST--
await() returns the object that the coroutine returned
--FILE--
<?php
use function Async\{spawn, await};
$o = new stdClass;
var_dump(await(spawn(fn () => $o)) === $o);
?>
--EXPECT--
bool(true)
