--TEST--
cancel() of a timeout takes an AsyncCancellation
--FILE--
<?php
use function Async\timeout;
require __DIR__ . '/../says.inc';
says(fn () => timeout(5)->cancel(new Exception));
?>
--EXPECT--
TypeError: Async\Timeout::cancel(): Argument #1 ($cancellation) must be of type ?Async\AsyncCancellation, Exception given
