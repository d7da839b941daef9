--TEST--
graceful_shutdown() takes a cancellation only
--FILE--
<?php
use function Async\graceful_shutdown;
require __DIR__ . '/../says.inc';
says(fn () => graceful_shutdown(new Exception('x')));
?>
--EXPECT--
TypeError: Async\graceful_shutdown(): Argument #1 ($cancellationError) must be of type ?Async\AsyncCancellation, Exception given
