--TEST--
Arguments are those of the time of the call
--FILE--
<?php
use function Async\{spawn, await};
$o = new ArrayObject([1]);
$a = [1];
$c = spawn(fn ($o, $a) => [count($o), count($a)], $o, $a);
$o[] = 2;
$a[] = 2;
echo json_encode(await($c)), "\n";
?>
--EXPECT--
[2,1]
