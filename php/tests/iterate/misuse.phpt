--TEST--
What cannot be iterated or called is refused
--FILE--
<?php
foreach ([fn () => Async\iterate(5, fn () => 1), fn () => Async\iterate([], 'no such function'), fn () => Async\iterate([], fn () => 1, -1)] as $f) {
    try { $f(); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
}
?>
--EXPECT--
TypeError: Async\iterate(): Argument #1 ($iterable) must be of type Traversable|array, int given
TypeError: Async\iterate(): Argument #2 ($callback) must be a valid callback, function "no such function" not found or invalid function name
ValueError: Async\iterate(): Argument #3 ($concurrency) must be greater than or equal to 0
