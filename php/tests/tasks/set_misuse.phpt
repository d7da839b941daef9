--TEST--
A set refuses what a group refuses
--FILE--
<?php
$s = new Async\TaskSet;
$s->spawnWithKey('k', fn () => 1);
foreach ([fn () => $s->spawnWithKey('k', fn () => 1), fn () => $s->awaitCompletion(), fn () => $s->getIterator(), function () use ($s) { foreach ($s as &$x) {} },
          function () use ($s) { $s->close(); $s->spawn(fn () => 1); }, fn () => $s->spawn('no such function'), fn () => $s->finally('strlen'),
          fn () => new Async\TaskSet(-1), fn () => new Async\TaskSet(1, -1)] as $f) {
    try { $f(); echo "no exception\n"; } catch (Throwable $e) { echo get_class($e), "\n"; }
}
?>
--EXPECT--
Async\AsyncException
Async\AsyncException
Error
Error
Async\AsyncException
TypeError
TypeError
ValueError
ValueError
