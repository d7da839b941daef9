--TEST--
R-CHN-16: a channel stays open when the coroutines of its scope have ended by themselves
--FILE--
<?php
use function Async\{await, timeout};
$scope = new Async\Scope;
$ch = await($scope->spawn(fn () => new Async\Channel(1)));
$scope->awaitCompletion(timeout(5000));
$ch->send('v');
var_dump($ch->isClosed(), $ch->recv());
?>
--EXPECT--
bool(false)
string(1) "v"
