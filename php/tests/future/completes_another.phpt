--TEST--
A function of a chain may complete another future
--FILE--
<?php
use Async\{Future, FutureState};
$second = new Future($secondState = new FutureState);
$first = new Future($firstState = new FutureState);
$done = $first->map(function ($x) use ($secondState) { $secondState->complete($x . ' passed on'); });
$firstState->complete('value');
var_dump($second->await(), $done->await());
?>
--EXPECT--
string(15) "value passed on"
NULL
