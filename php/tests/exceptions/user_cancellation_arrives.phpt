--TEST--
A class derived from AsyncCancellation arrives as it was given
--FILE--
<?php
use function Async\{await, delay, spawn, suspend};
class Stop extends Async\AsyncCancellation { public function __construct(public readonly string $why) { parent::__construct("stop: $why"); } }
$c = spawn(function () { try { delay(60000); } catch (Stop $e) { echo $e->why, "\n"; throw $e; } });
suspend();
$c->cancel(new Stop('for a test'));
try { await($c); } catch (Stop $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
for a test
stop: for a test
