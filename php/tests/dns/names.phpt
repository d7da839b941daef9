--TEST--
Names are looked up beside each other, each with its own answer
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$names = ['127.0.0.1', 'localhost', '127.0.0.2', 'localhost', '127.0.0.3'];
$all = [];
foreach ($names as $name) $all[] = Async\spawn(fn() => gethostbyname($name));
echo implode(' ', Async\await_all_or_fail($all)), "\n";
var_dump(Async\await(Async\spawn(fn() => gethostbynamel('localhost'))));
var_dump(Async\await(Async\spawn(fn() => gethostbyaddr('127.0.0.1'))));
var_dump(Async\await(Async\spawn(fn() => gethostbyname('no-such-name.invalid'))));
?>
--EXPECT--
127.0.0.1 127.0.0.1 127.0.0.2 127.0.0.1 127.0.0.3
array(1) {
  [0]=>
  string(9) "127.0.0.1"
}
string(9) "localhost"
string(20) "no-such-name.invalid"
