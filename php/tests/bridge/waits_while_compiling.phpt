--TEST--
While PHP compiles, everything of the API that waits refuses, and nothing is left over
--FILE--
<?php
use function Async\{spawn, suspend, delay, await_all, iterate, timeout};
$channel = new Async\Channel(1);
$scope = new Async\Scope;
$scope->spawn(fn() => suspend());
$group = new Async\TaskGroup;
$group->spawn(fn() => suspend());
$group->close();
$set = new Async\TaskSet;
$pool = new Async\Pool(fn() => new stdClass, max: 1);
$lent = $pool->acquire();
$watcher = new Async\FileSystemWatcher(__DIR__);
$waits = [
    'recv' => fn() => $channel->recv(),
    'send' => fn() => $channel->send(1),
    'foreach channel' => function () use ($channel) { foreach ($channel as $x); },
    'scope' => fn() => $scope->awaitCompletion(timeout(10)),
    'group' => fn() => $group->awaitCompletion(),
    'foreach group' => function () use ($group) { foreach ($group as $x); },
    'spawn of a set' => fn() => $set->spawn(fn() => 1),
    'pool' => fn() => $pool->acquire(),
    'await_all' => fn() => await_all([spawn(fn() => suspend())]),
    'iterate' => fn() => iterate([1], fn() => 1),
    'watcher' => function () use ($watcher) { foreach ($watcher as $x); },
    'delay' => fn() => delay(1),
];
set_error_handler(function () use ($waits) {
    foreach ($waits as $name => $wait) {
        try {
            $wait();
            echo "$name has waited\n";
        } catch (Async\AsyncException $e) {
            if ($e->getMessage() !== 'A coroutine cannot be suspended while PHP compiles or prints') throw $e;
        }
    }
    return true;
});
spawn(function () { eval('function f(?int $a = null, $b) {}'); echo "compiled\n"; });
suspend();
delay(1);
echo "delayed\n";
$watcher->close();
?>
--EXPECT--
compiled
delayed
