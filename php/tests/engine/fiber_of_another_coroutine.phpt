--TEST--
A coroutine that resumes a Fiber in which another one is parked gets a FiberError
--FILE--
<?php
use function Async\{spawn, await, suspend};
$fiber = new Fiber(function () {
    suspend();
    return 'the first goes on';
});
$first = spawn(fn() => $fiber->start());
$second = spawn(fn() => $fiber->resume());
try {
    await($second);
} catch (FiberError $e) {
    echo $e->getMessage(), "\n";
}
await($first);
echo $fiber->getReturn(), "\n";
?>
--EXPECT--
Cannot resume a fiber that is not suspended
the first goes on
