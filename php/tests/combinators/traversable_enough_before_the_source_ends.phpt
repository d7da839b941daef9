--TEST--
await_any_of() returns when there are enough, though the source has more
--FILE--
<?php
use function Async\{spawn, suspend, await_any_of};
function source() { for ($i = 0;; ++$i) { yield spawn(fn () => $i); suspend(); } }
[$values] = await_any_of(3, source());
var_dump(count($values) >= 3);
?>
--EXPECT--
bool(true)
