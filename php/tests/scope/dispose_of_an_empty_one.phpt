--TEST--
dispose() closes an empty scope
--FILE--
<?php
$s = new Async\Scope;
$s->dispose();
var_dump($s->isClosed(), $s->isFinished());
try { $s->spawn(fn () => 1); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
$s->dispose();
$s->disposeSafely();
?>
--EXPECT--
bool(true)
bool(true)
Cannot spawn a coroutine in a closed scope
