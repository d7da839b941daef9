--TEST--
A value that is there wins over a token that has fired
--FILE--
<?php
$fired = Async\Future::failed(new Exception('fired'));
$ch = new Async\Channel(1);
$ch->send('v', $fired);
var_dump($ch->recv($fired));
try { $ch->recv($fired); } catch (Async\OperationCanceledException $e) { echo $e->getMessage(), ': ', $e->getPrevious()->getMessage(), "\n"; }
?>
--EXPECT--
string(1) "v"
Operation has been cancelled: fired
