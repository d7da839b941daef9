--TEST--
Two loops that yield take turns
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
$turn = function ($n) { for ($i = 1; $i <= 3; ++$i) { echo "$n$i "; suspend(); } };
await_all([spawn($turn, 'a'), spawn($turn, 'b')]);
?>
--EXPECT--
a1 b1 a2 b2 a3 b3 
