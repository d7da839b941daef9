--TEST--
O-10: an exception stops the iteration, cancels the others and is thrown
--FILE--
<?php
use function Async\{iterate, suspend};
try {
    iterate([1, 2, 3, 4, 5], function ($x) { echo "begin $x\n"; suspend(); if ($x === 2) throw new Exception('two'); echo "end $x\n"; }, 3);
} catch (Exception $e) {
    echo "caught ", $e->getMessage(), "\n";
}
?>
--EXPECT--
begin 1
end 1
begin 2
begin 3
caught two
