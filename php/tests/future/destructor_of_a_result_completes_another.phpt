--TEST--
The destructor of a result may complete another future
--FILE--
<?php
class V { public function __construct(private Async\FutureState $state) {} public function __destruct() { $this->state->complete('by the destructor'); } }
$second = new Async\Future($secondState = new Async\FutureState);
$first = Async\Future::completed(new V($secondState))->ignore();
unset($secondState, $first);
echo $second->await(), "\n";
?>
--EXPECT--
by the destructor
