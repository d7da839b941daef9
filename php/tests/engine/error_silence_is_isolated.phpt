--TEST--
@ and error_reporting() of one coroutine do not reach another
--FILE--
<?php
use function Async\{spawn, await, suspend};
function quiet() { suspend(); return 1; }
$a = spawn(function () { return @quiet(); });
$b = spawn(function () { return error_reporting() === E_ALL; });
var_dump(await($b), await($a), error_reporting() === E_ALL);
?>
--EXPECT--
bool(true)
int(1)
bool(true)
