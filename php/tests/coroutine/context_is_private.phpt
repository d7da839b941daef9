--TEST--
getContext() is the private context of that coroutine
--FILE--
<?php
use function Async\{spawn, suspend, await, coroutine_context};
$c = spawn(function () { coroutine_context()->set('k', 'mine'); suspend(); return coroutine_context(); });
suspend();
var_dump($c->getContext()->get('k'), $c->getContext() === await($c));
?>
--EXPECT--
string(4) "mine"
bool(true)
