--TEST--
Nothing changes in a script that does not use the API
--FILE--
<?php
$begin = microtime(true);
usleep(20_000);
var_dump(microtime(true) - $begin >= 0.02, shell_exec('echo text'), gethostbyname('127.0.0.1'));
?>
--EXPECT--
bool(true)
string(5) "text
"
string(9) "127.0.0.1"
