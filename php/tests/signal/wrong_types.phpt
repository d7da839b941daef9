--TEST--
signal() takes a Signal, not a number
--FILE--
<?php
use Async\Signal;
use function Async\signal;
require __DIR__ . '/../says.inc';
says(fn () => signal(15));
says(fn () => signal(Signal::SIGINT, 5));
?>
--EXPECT--
TypeError: Async\signal(): Argument #1 ($signal) must be of type Async\Signal, int given
TypeError: Async\signal(): Argument #2 ($cancellation) must be of type ?Async\Completable, int given
