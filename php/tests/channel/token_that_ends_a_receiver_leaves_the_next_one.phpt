--TEST--
R-CHN-14: a token ends one wait; the other receivers still wait
--FILE--
<?php
use function Async\{await, spawn, suspend};
$state = new Async\FutureState;
$token = new Async\Future($state);
$ch = new Async\Channel;
$first = spawn(fn () => $ch->recv($token));
$second = spawn(fn () => $ch->recv());
suspend();
$state->complete(null);
try { await($first); } catch (Async\OperationCanceledException $e) { var_dump($e->getPrevious()); }
$ch->send('v');
var_dump(await($second));
?>
--EXPECT--
NULL
string(1) "v"
