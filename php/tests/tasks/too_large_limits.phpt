--TEST--
The limits of groups and sets are checked
--FILE--
<?php
require __DIR__ . '/../says.inc';
foreach (['TaskGroup', 'TaskSet'] as $name) {
    $class = "Async\\$name";
    says(fn () => new $class(4294967296));
    says(fn () => new $class(1, 4294967296));
    says(fn () => new $class(4294967295, 4294967295));
}
?>
--EXPECT--
ValueError: Async\TaskGroup::__construct(): Argument #1 ($concurrency) must be between 0 and 4294967295
ValueError: Async\TaskGroup::__construct(): Argument #2 ($queueLimit) must be between 0 and 4294967295
{}
ValueError: Async\TaskSet::__construct(): Argument #1 ($concurrency) must be between 0 and 4294967295
ValueError: Async\TaskSet::__construct(): Argument #2 ($queueLimit) must be between 0 and 4294967295
{}
