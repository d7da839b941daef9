--TEST--
A cancelled future is cancelled, and a later signal does not change it
--FILE--
<?php
use Async\Signal;
use function Async\{delay, signal};
require __DIR__ . '/../says.inc';
$f = signal(Signal::SIGWINCH);
$f->cancel();
exec('kill -WINCH ' . getmypid());
delay(1);
var_dump($f->isCancelled());
says(fn () => $f->await());
?>
--EXPECT--
bool(true)
Async\AsyncCancellation: Future has been cancelled
