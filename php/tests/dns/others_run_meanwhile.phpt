--TEST--
Other coroutines run while a name is looked up
--FILE--
<?php
use function Async\{await, spawn};
$lookup = spawn(function () { $address = gethostbyname('localhost'); echo "found\n"; return $address; });
spawn(fn () => print("others run\n"));
var_dump(filter_var(await($lookup), FILTER_VALIDATE_IP) !== false);
?>
--EXPECT--
others run
found
bool(true)
