--TEST--
A large result arrives as it is
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(fn () => range(1, 100000));
var_dump(array_sum(await($c)));
?>
--EXPECT--
int(5000050000)
