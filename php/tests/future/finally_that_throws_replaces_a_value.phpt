--TEST--
R-FUT-6: an exception of finally() replaces a value
--FILE--
<?php
$future = Async\Future::completed('v')->finally(fn () => throw new LogicException('instead'));
try { $future->await(); } catch (LogicException $e) { echo $e->getMessage(), "\n"; var_dump($e->getPrevious()); }
?>
--EXPECT--
instead
NULL
