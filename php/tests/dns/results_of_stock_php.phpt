--TEST--
Lookups give the same results inside a coroutine as outside
--FILE--
<?php
use function Async\{await, spawn};
$work = fn () => [gethostbyname('127.0.0.1'), gethostbynamel('127.0.0.1'), gethostbyname('no-such-name.invalid'), gethostbynamel('no-such-name.invalid'), gethostbyname('localhost')];
$outside = $work();
$inside = await(spawn($work));
var_dump($inside === $outside);
echo json_encode(array_slice($inside, 0, 4)), "\n";
?>
--EXPECT--
bool(true)
["127.0.0.1",["127.0.0.1"],"no-such-name.invalid",false]
