--TEST--
R-CHN-17: a channel may go before its scope, and a scope before its channel
--FILE--
<?php
use function Async\await;
$scope = new Async\Scope;
$ch = await($scope->spawn(fn () => new Async\Channel));
unset($ch);
$scope->cancel();
$scope = new Async\Scope;
$ch = await($scope->spawn(fn () => new Async\Channel));
unset($scope);
var_dump($ch->sendAsync(1), $ch->recv());
?>
--EXPECT--
bool(true)
int(1)
