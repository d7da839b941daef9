--TEST--
Userland fibers work inside coroutines, and coroutines suspend inside fibers
--FILE--
<?php
use function Async\{spawn, await, suspend};
$make = fn ($name) => function () use ($name) {
    $log = [];
    $fiber = new Fiber(function () use (&$log, $name) {
        $log[] = "$name in fiber"; suspend();
        $x = Fiber::suspend('out'); $log[] = "$name got $x"; suspend();
        return 'end';
    });
    $log[] = $fiber->start(); suspend();
    $fiber->resume('in');
    $log[] = $fiber->getReturn();
    return implode(', ', $log);
};
$all = array_map(fn ($n) => spawn($make($n)), ['a', 'b']);
foreach ($all as $c) echo await($c), "\n";
$f = new Fiber(function () { return await(spawn(fn () => 'spawned in a fiber of main')); });
$f->start();
echo $f->getReturn(), "\n";
?>
--EXPECT--
a in fiber, out, a got in, end
b in fiber, out, b got in, end
spawned in a fiber of main
