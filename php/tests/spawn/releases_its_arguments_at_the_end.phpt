--TEST--
The arguments of a coroutine are released when it has ended
--FILE--
<?php
use function Async\{spawn, await};
class A { public function __destruct() { echo "released\n"; } }
$c = spawn(function ($x) { echo "body\n"; }, new A);
await($c);
echo "main\n";
?>
--EXPECT--
body
released
main
