--TEST--
Awaiters are woken before finally handlers run to their end
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(fn () => 1);
$c->finally(function () { suspend(); suspend(); echo "handler ends\n"; });
await($c);
echo "awaited\n";
?>
--EXPECT--
awaited
handler ends
