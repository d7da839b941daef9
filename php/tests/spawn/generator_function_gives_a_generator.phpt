--TEST--
A coroutine of a generator function returns the generator without running it
--FILE--
<?php
use function Async\{spawn, await};
function numbers() { echo "runs\n"; yield 1; yield 2; }
$g = await(spawn('numbers'));
echo "have it\n";
echo implode(',', iterator_to_array($g)), "\n";
?>
--EXPECT--
have it
runs
1,2
