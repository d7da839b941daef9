--TEST--
R-CHN-16: a channel closes when its scope is disposed, and its values can still be received
--FILE--
<?php
use function Async\await;
$scope = new Async\Scope;
$ch = await($scope->spawn(function () { $ch = new Async\Channel(1); $ch->send('left'); return $ch; }));
$scope->dispose();
var_dump($ch->isClosed(), $ch->recv());
try { $ch->send(1); } catch (Async\ChannelException $e) { echo $e->reason->name, "\n"; }
?>
--EXPECT--
bool(true)
string(4) "left"
SCOPE_DISPOSED
