--TEST--
R-CHN-5: the first reason of closing stays
--FILE--
<?php
use function Async\await;
$scope = new Async\Scope;
$ch = await($scope->spawn(fn () => new Async\Channel));
$ch->close();
$scope->cancel();
try { $ch->recv(); } catch (Async\ChannelException $e) { echo $e->reason->name, ' ', $e->getMessage(), "\n"; }
?>
--EXPECT--
EXPLICIT Channel is closed
