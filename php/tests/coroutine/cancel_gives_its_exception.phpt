--TEST--
The exception given to cancel() arrives as it is, subclasses included
--FILE--
<?php
use function Async\{spawn, await, delay, suspend};
class Stop extends Async\AsyncCancellation { public $data = 'mine'; }
$stop = new Stop('halt');
$c = spawn(function () use ($stop) { try { delay(10000); } catch (Stop $e) { var_dump($e === $stop, $e->data); throw $e; } });
suspend();
$c->cancel($stop);
try { await($c); } catch (Stop $e) { var_dump($e === $stop); }
var_dump($c->getException() === $stop);
?>
--EXPECT--
bool(true)
string(4) "mine"
bool(true)
bool(true)
