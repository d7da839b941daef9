--TEST--
Concrete classes are final
--FILE--
<?php
foreach (['Coroutine', 'Scope', 'Context', 'FutureState', 'Future', 'Channel', 'TaskGroup', 'TaskSet', 'Pool', 'Timeout', 'Thread', 'ThreadChannel', 'ThreadPool', 'FileSystemEvent', 'FileSystemWatcher', 'CpuSnapshot'] as $class) {
    if (!(new ReflectionClass("Async\\$class"))->isFinal()) echo "$class is open\n";
}
echo "done\n";
?>
--EXPECT--
done
