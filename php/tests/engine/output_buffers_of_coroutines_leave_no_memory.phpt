--TEST--
Coroutines with output buffers of their own leave no memory behind when main has one too
--FILE--
<?php
use function Async\{spawn, await};
ob_start();
$round = function () {
    for ($i = 0; $i < 5000; $i++) await(spawn(function () { ob_start(); ob_end_clean(); }));
    return memory_get_usage();
};
$round();
$first = $round();
$second = $round();
ob_end_clean();
var_dump($second - $first < 50_000);
?>
--EXPECT--
bool(true)
