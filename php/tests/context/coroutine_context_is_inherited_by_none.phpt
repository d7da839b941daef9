--TEST--
R-CTX-2: the context of a coroutine is not seen by the coroutines it spawns
--FILE--
<?php
use function Async\{await, coroutine_context, current_context, spawn};
coroutine_context()->set('k', 'of main');
echo json_encode(await(spawn(function () {
    coroutine_context()->set('mine', 1);
    return [coroutine_context()->find('k'), current_context()->find('mine'), await(spawn(fn () => coroutine_context()->find('mine')))];
}))), "\n";
?>
--EXPECT--
[null,null,null]
