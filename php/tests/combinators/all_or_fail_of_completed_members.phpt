--TEST--
await_all_or_fail() of completed members does not wait
--FILE--
<?php
use function Async\{spawn, suspend, await_all_or_fail};
$a = spawn(fn () => 1);
$b = spawn(fn () => 2);
suspend();
spawn(fn () => print("later\n"));
echo json_encode(await_all_or_fail([$a, $b])), "\n";
?>
--EXPECT--
[1,2]
later
