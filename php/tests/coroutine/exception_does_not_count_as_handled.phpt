--TEST--
Reading getException() does not throw; await() still does
--FILE--
<?php
use function Async\{spawn, suspend, await};
require __DIR__ . '/../says.inc';
$c = spawn(fn () => throw new Exception('e'));
suspend();
echo $c->getException()->getMessage(), "\n";
says(fn () => await($c));
?>
--EXPECT--
e
Exception: e
