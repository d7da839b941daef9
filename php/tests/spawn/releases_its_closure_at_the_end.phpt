--TEST--
The closure of a coroutine and what it captured are released when it has ended
--FILE--
<?php
use function Async\{spawn, await};
class A { public function __destruct() { echo "released\n"; } }
$a = new A;
$c = spawn(function () use ($a) { echo "body\n"; });
unset($a);
await($c);
echo "main\n";
?>
--EXPECT--
body
released
main
