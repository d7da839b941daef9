--TEST--
A token that fails rejects the future with the token's own exception
--FILE--
<?php
use Async\Signal;
use function Async\{spawn, await, signal};
require __DIR__ . '/../says.inc';
$token = spawn(fn () => throw new LogicException('of the token'));
says(fn () => await(signal(Signal::SIGUSR1, $token)));
?>
--EXPECT--
LogicException: of the token
