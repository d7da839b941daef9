--TEST--
await() of a temporary releases it afterwards
--FILE--
<?php
use function Async\{spawn, await};
class V { public function __destruct() { echo "released\n"; } }
await(spawn(fn () => new V));
echo "main\n";
?>
--EXPECT--
released
main
