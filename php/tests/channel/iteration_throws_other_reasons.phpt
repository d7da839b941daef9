--TEST--
R-CHN-15: a foreach throws when the channel was closed for another reason
--FILE--
<?php
use function Async\{await, suspend, spawn};
$scope = new Async\Scope;
$ch = await($scope->spawn(fn () => new Async\Channel));
spawn(function () use ($ch) {
    try { foreach ($ch as $value) echo "never\n"; } catch (Async\ChannelException $e) { echo $e->getMessage(), "\n"; }
});
suspend();
$scope->cancel();
?>
--EXPECT--
Channel closed: owner scope disposed
