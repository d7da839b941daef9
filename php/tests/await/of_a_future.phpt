--TEST--
await() takes a Future
--FILE--
<?php
use Async\{FutureState, Future};
use function Async\{spawn, await};
$s = new FutureState;
spawn(fn () => $s->complete('v'));
var_dump(await(new Future($s)));
?>
--EXPECT--
string(1) "v"
