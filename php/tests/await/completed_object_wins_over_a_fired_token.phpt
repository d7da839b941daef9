--TEST--
A completed object answers even if the token has fired
--FILE--
<?php
use function Async\{spawn, await};
$done = spawn(fn () => 'value');
$token = spawn(fn () => 1);
await($done);
await($token);
var_dump(await($done, $token));
?>
--EXPECT--
string(5) "value"
