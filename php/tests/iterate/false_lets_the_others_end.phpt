--TEST--
R-ITR-4: when a callback returns false, those that run end by themselves
--FILE--
<?php
use function Async\{iterate, suspend};
iterate([1, 2, 3, 4], function ($x) { echo "begin $x\n"; if ($x === 2) return false; suspend(); suspend(); echo "end $x\n"; }, 2);
echo "done\n";
?>
--EXPECT--
begin 1
begin 2
end 1
done
