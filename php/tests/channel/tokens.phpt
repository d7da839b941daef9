--TEST--
A token ends send() and recv(); no value is lost
--FILE--
<?php
use function Async\timeout;
$ch = new Async\Channel;
foreach ([fn () => $ch->recv(timeout(1)), fn () => $ch->send('x', timeout(1))] as $f) {
    try { $f(); } catch (Async\OperationCanceledException $e) { echo get_class($e->getPrevious()), "\n"; }
}
var_dump($ch->isEmpty());
?>
--EXPECT--
Async\TimeoutException
Async\TimeoutException
bool(true)
