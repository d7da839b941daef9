--TEST--
Closed groups, keys that are used, waiting for an open group, wrong limits
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawnWithKey('k', fn () => 1);
$g->spawnWithKey(3, fn () => 1);
foreach ([fn () => $g->spawnWithKey('k', fn () => 1), fn () => $g->spawnWithKey(3, fn () => 1), fn () => $g->awaitCompletion(), fn () => $g->getIterator(),
          fn () => new Async\TaskGroup(-1), fn () => new Async\TaskGroup(1, -1), function () use ($g) { foreach ($g as &$x) {} },
          function () use ($g) { $g->close(); $g->spawn(fn () => 1); }, fn () => $g->spawn('no such function'), fn () => $g->finally('strlen')] as $f) {
    try { $f(); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
}
var_dump($g->isClosed());
?>
--EXPECT--
Async\AsyncException: Duplicate key "k" in TaskGroup
Async\AsyncException: Duplicate key 3 in TaskGroup
Async\AsyncException: TaskGroup must be closed before calling awaitCompletion()
Error: An object of class Async\TaskGroup is not a traversable object in an invalid state
ValueError: Async\TaskGroup::__construct(): Argument #1 ($concurrency) must be between 0 and 4294967295
ValueError: Async\TaskGroup::__construct(): Argument #2 ($queueLimit) must be between 0 and 4294967295
Error: Cannot iterate TaskGroup by reference
Async\AsyncException: Cannot spawn tasks on a closed TaskGroup
TypeError: Async\TaskGroup::spawn(): Argument #1 ($task) must be a valid callback, function "no such function" not found or invalid function name
TypeError: Async\TaskGroup::finally(): Argument #1 ($callback) must be of type Closure, string given
bool(true)
