--TEST--
Awaitable is what may change its state many times
--FILE--
<?php
use Async\{Awaitable, Completable};
foreach (['Channel', 'TaskGroup', 'TaskSet', 'ThreadChannel', 'FileSystemWatcher'] as $class) {
    echo $class, ' ', json_encode([is_subclass_of("Async\\$class", Awaitable::class), is_subclass_of("Async\\$class", Completable::class)]), "\n";
}
?>
--EXPECT--
Channel [true,false]
TaskGroup [true,false]
TaskSet [true,false]
ThreadChannel [true,false]
FileSystemWatcher [true,false]
