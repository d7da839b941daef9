--TEST--
getResult() of a coroutine that returned nothing is null after its end
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(function () {});
await($c);
var_dump($c->getResult(), $c->getException());
?>
--EXPECT--
NULL
NULL
