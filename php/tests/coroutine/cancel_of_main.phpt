--TEST--
main can be cancelled like any other coroutine
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, delay, current_coroutine, root_context};
require __DIR__ . '/../says.inc';
root_context();
$main = current_coroutine();
spawn(fn () => $main->cancel(new AsyncCancellation('stop main')));
says(fn () => delay(60000));
echo "main goes on\n";
?>
--EXPECT--
Async\AsyncCancellation: stop main
main goes on
