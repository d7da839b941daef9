--TEST--
Objects of the extension can be compared, cast and dumped
--FILE--
<?php
$objects = [new Async\Channel, new Async\Scope, new Async\FutureState, new Async\TaskGroup, new Async\Pool(fn () => 1), Async\root_context(), Async\spawn(fn () => 1), Async\timeout(1)];
foreach ($objects as $object) {
    ob_start();
    var_dump($object);
    $text = ob_get_clean();
    echo get_class($object), ' ', json_encode([(array) $object, $object == $object, get_object_vars($object), str_contains($text, get_class($object))]), "\n";
}
?>
--EXPECT--
Async\Channel [[],true,[],true]
Async\Scope [[],true,[],true]
Async\FutureState [[],true,[],true]
Async\TaskGroup [[],true,[],true]
Async\Pool [[],true,[],true]
Async\Context [[],true,[],true]
Async\Coroutine [[],true,[],true]
Async\Timeout [[],true,[],true]
