--TEST--
joinAny() fails with a composite when all tasks fail
--FILE--
<?php
$s = new Async\TaskSet;
$s->spawn(fn () => throw new Exception('one'));
$s->spawn(fn () => throw new Exception('two'));
try { $s->joinAny()->await(); } catch (Async\CompositeException $e) { foreach ($e->getExceptions() as $x) echo $x->getMessage(), "\n"; }
$s->joinAll(ignoreErrors: true)->await();
?>
--EXPECT--
one
two
