--TEST--
A key that holds null is there
--FILE--
<?php
$c = Async\root_context()->set('n', null);
var_dump($c->has('n'), $c->hasLocal('n'), $c->get('n'), $c->getLocal('n'), $c->find('n'));
try { $c->set('n', 1); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
bool(true)
bool(true)
NULL
NULL
NULL
Context key already exists and replace is false
