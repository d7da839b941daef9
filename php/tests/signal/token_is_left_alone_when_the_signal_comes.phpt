--TEST--
The signal before the token: the token can still be used
--FILE--
<?php
use Async\Signal;
use function Async\{await, timeout, signal};
$token = timeout(60000);
$f = signal(Signal::SIGUSR1, $token);
exec('kill -USR1 ' . getmypid());
echo await($f)->name, "\n";
var_dump($token->isCompleted());
?>
--EXPECT--
SIGUSR1
bool(false)
