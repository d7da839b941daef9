--TEST--
Coroutine, Future, Timeout and Thread are Completable
--FILE--
<?php
use Async\Completable;
foreach (['Coroutine', 'Future', 'Timeout', 'Thread', 'Scope', 'Pool', 'FutureState'] as $class) echo $class, ' ', json_encode(is_subclass_of("Async\\$class", Completable::class)), "\n";
?>
--EXPECT--
Coroutine true
Future true
Timeout true
Thread true
Scope false
Pool false
FutureState false
