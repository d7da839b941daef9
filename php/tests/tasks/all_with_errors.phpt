--TEST--
all() fails with a composite of the errors, unless they are ignored
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(fn () => 'ok');
$g->spawn(fn () => throw new Exception('one'));
$g->spawn(fn () => throw new Exception('two'));
try { $g->all()->await(); } catch (Async\CompositeException $e) { foreach ($e->getExceptions() as $x) echo $x->getMessage(), "\n"; }
var_dump($g->all(ignoreErrors: true)->await(), array_map(fn ($e) => $e->getMessage(), $g->getErrors()));
?>
--EXPECT--
one
two
array(1) {
  [0]=>
  string(2) "ok"
}
array(2) {
  [1]=>
  string(3) "one"
  [2]=>
  string(3) "two"
}
