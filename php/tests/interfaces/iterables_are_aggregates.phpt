--TEST--
Channel, TaskGroup, TaskSet and FileSystemWatcher are IteratorAggregates
--FILE--
<?php
foreach (['Channel', 'TaskGroup', 'TaskSet', 'FileSystemWatcher'] as $class) echo json_encode(is_subclass_of("Async\\$class", IteratorAggregate::class)), "\n";
?>
--EXPECT--
true
true
true
true
