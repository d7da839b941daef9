--TEST--
joinAll() fails with a composite of the errors; the values stay to be joined
--FILE--
<?php
$s = new Async\TaskSet;
$s->spawn(fn () => throw new Exception('one'));
$s->spawn(fn () => 'v');
$s->spawn(fn () => throw new Exception('two'));
try { $s->joinAll()->await(); } catch (Async\CompositeException $e) { foreach ($e->getExceptions() as $x) echo $x->getMessage(), "\n"; }
var_dump(count($s), array_values($s->joinAll()->await()), count($s));
?>
--EXPECT--
one
two
int(1)
array(1) {
  [0]=>
  string(1) "v"
}
int(0)
