--TEST--
Two living coroutines have different ids
--FILE--
<?php
use function Async\spawn;
$a = spawn(fn () => 1);
$b = spawn(fn () => 1);
var_dump($a->getId() !== $b->getId(), is_int($a->getId()));
?>
--EXPECT--
bool(true)
bool(true)
