--TEST--
A token that has completed before the call rejects the future at once
--FILE--
<?php
use Async\{Signal, Future};
use function Async\signal;
require __DIR__ . '/../says.inc';
$f = signal(Signal::SIGUSR1, Future::completed(1));
var_dump($f->isCompleted());
says(fn () => $f->await());
?>
--EXPECT--
bool(true)
Async\AsyncCancellation: Signal wait cancelled
