--TEST--
R-SCP-14: awaitCompletion() of a scope without coroutines returns at once, and its token counts as used
--FILE--
<?php
$s = new Async\Scope;
$s->awaitCompletion(Async\Future::completed());
var_dump($s->isFinished(), $s->isClosed());
?>
--EXPECT--
bool(true)
bool(false)
