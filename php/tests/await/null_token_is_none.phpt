--TEST--
null as the token means no token
--FILE--
<?php
use function Async\{spawn, await};
var_dump(await(spawn(fn () => 1), null));
?>
--EXPECT--
int(1)
