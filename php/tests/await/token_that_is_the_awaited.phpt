--TEST--
A token that is the awaited object is ignored
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(function () { suspend(); return 'value'; });
var_dump(await($c, $c));
?>
--EXPECT--
string(5) "value"
