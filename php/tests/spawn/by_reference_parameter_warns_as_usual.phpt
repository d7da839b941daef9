--TEST--
A parameter by reference gets a copy with the usual warning
--FILE--
<?php
use function Async\{spawn, await};
function add(&$x) { $x++; return $x; }
$n = 1;
echo await(spawn('add', $n)), ' ', $n, "\n";
?>
--EXPECTF--
%AWarning: add(): Argument #1 ($x) must be passed by reference, value given in %s on line %d
2 1
