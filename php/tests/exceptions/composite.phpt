--TEST--
CompositeException collects exceptions in order; an empty one returns []
--FILE--
<?php
$c = new Async\CompositeException('several');
var_dump($c->getExceptions());
$c->addException($a = new Exception('a'));
$c->addException($b = new Error('b'));
var_dump($c->getExceptions() === [$a, $b]);
try { $c->addException(new stdClass); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
array(0) {
}
bool(true)
Async\CompositeException::addException(): Argument #1 ($exception) must be of type Throwable, stdClass given
