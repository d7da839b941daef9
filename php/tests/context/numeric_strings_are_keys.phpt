--TEST--
Numeric strings and the empty string are keys like others
--FILE--
<?php
$c = Async\root_context()->set('1', 'one')->set('', 'empty')->set('01', 'zero one');
var_dump($c->get('1'), $c->get(''), $c->get('01'), $c->has('2'));
?>
--EXPECT--
string(3) "one"
string(5) "empty"
string(8) "zero one"
bool(false)
