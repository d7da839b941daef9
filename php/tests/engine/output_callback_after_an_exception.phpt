--TEST--
The callbacks of output buffers run when a coroutine ends with an exception or with exit
--FILE--
<?php
use function Async\{spawn, await};
$loudly = function () { ob_start(fn($text) => strtoupper($text)); echo "text\n"; };
try {
    await(spawn(function () use ($loudly) { $loudly(); throw new Exception('x'); }));
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
try {
    await(spawn(function () {
        ob_start(function () { throw new LogicException('of the callback'); });
        throw new Exception('of the coroutine');
    }));
} catch (LogicException $e) {
    echo $e->getMessage(), ' after ', $e->getPrevious()->getMessage(), "\n";
}
spawn(function () use ($loudly) { $loudly(); exit(3); });
?>
--EXPECT--
TEXT
x
of the callback after of the coroutine
TEXT
