--TEST--
A second call of a constructor is refused, and the object stays as it was
--FILE--
<?php
use function Async\{spawn, suspend, await};
require __DIR__ . '/../says.inc';
$state = new Async\FutureState;
$future = new Async\Future($state);
$other = new Async\FutureState;
$other->ignore();
$scope = new Async\Scope;
$channel = new Async\Channel(2);
$channel->send('kept');
$group = new Async\TaskGroup;
$set = new Async\TaskSet;
$pool = new Async\Pool(fn () => new stdClass, min: 2);
$watcher = new Async\FileSystemWatcher(__DIR__);
spawn(function () use ($future) { echo await($future), "\n"; });
suspend();
says(fn () => $state->__construct());
says(fn () => $future->__construct($other));
says(fn () => $scope->__construct());
says(fn () => $channel->__construct(1));
says(fn () => $group->__construct());
says(fn () => $set->__construct());
says(fn () => $pool->__construct(fn () => new stdClass));
says(fn () => $watcher->__construct(__DIR__));
$state->complete('completed');
suspend();
echo json_encode([$channel->recv(), $channel->capacity(), $pool->count(), $watcher->isClosed()]), "\n";
?>
--EXPECT--
Error: Async\FutureState is constructed already
Error: Async\Future is constructed already
Error: Async\Scope is constructed already
Error: Async\Channel is constructed already
Error: Async\TaskGroup is constructed already
Error: Async\TaskSet is constructed already
Error: Async\Pool is constructed already
Error: Async\FileSystemWatcher is constructed already
completed
["kept",2,2,false]
