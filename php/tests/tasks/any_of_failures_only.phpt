--TEST--
R-TGR-4: any() fails with a composite when all tasks fail
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(fn () => throw new DomainException('one'));
$g->spawn(fn () => throw new LogicException('two'));
try { $g->any()->await(); } catch (Async\CompositeException $e) { foreach ($e->getExceptions() as $x) echo get_class($x), ': ', $x->getMessage(), "\n"; }
$g->suppressErrors();
?>
--EXPECT--
DomainException: one
LogicException: two
