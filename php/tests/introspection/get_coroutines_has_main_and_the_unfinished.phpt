--TEST--
get_coroutines() lists all unfinished ones, main included
--FILE--
<?php
use function Async\{spawn, suspend, await, current_coroutine, get_coroutines};
$a = spawn(fn () => suspend());
$b = spawn(fn () => 1);
var_dump(count(get_coroutines()), in_array($a, get_coroutines(), true), in_array(current_coroutine(), get_coroutines(), true));
await($b);
var_dump(in_array($b, get_coroutines(), true));
?>
--EXPECT--
int(3)
bool(true)
bool(true)
bool(false)
