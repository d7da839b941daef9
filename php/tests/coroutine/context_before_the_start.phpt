--TEST--
The context of a coroutine can be filled before it starts
--FILE--
<?php
use function Async\{spawn, await, coroutine_context};
$c = spawn(fn () => coroutine_context()->get('given'));
$c->getContext()->set('given', 5);
var_dump(await($c));
?>
--EXPECT--
int(5)
