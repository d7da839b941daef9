--TEST--
A Future and its state are not cloned, serialized or given dynamic properties
--FILE--
<?php
use Async\{FutureState, Future};
require __DIR__ . '/../says.inc';
$state = new FutureState;
$future = (new Future($state))->ignore();
foreach ([$state, $future] as $o) {
    says(fn () => clone $o);
    says(fn () => serialize($o));
    says(function () use ($o) { $o->x = 1; });
}
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\FutureState
Exception: Serialization of 'Async\FutureState' is not allowed
Error: Cannot create dynamic property Async\FutureState::$x
Error: Trying to clone an uncloneable object of class Async\Future
Exception: Serialization of 'Async\Future' is not allowed
Error: Cannot create dynamic property Async\Future::$x
