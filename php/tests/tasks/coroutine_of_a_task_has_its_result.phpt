--TEST--
The coroutine of a task has the result of the task, and may be awaited
--FILE--
<?php
use function Async\{await, current_coroutine};
$tasks = [new Async\TaskGroup, new Async\TaskSet];
foreach ($tasks as $group) {
    $group->spawn(function () use (&$coroutine) {
        $coroutine = current_coroutine();
        Async\suspend();
        return ['the result'];
    });
    $group->close();
    while ($coroutine === null) Async\suspend();
    var_dump($coroutine->getResult());
    $group->awaitCompletion();
    echo $coroutine->getResult()[0], ', ', await($coroutine)[0], "\n";
    $coroutine = null;
}
?>
--EXPECT--
NULL
the result, the result
NULL
the result, the result
