--TEST--
The token ends awaitAfterCancellation()
--FILE--
<?php
use function Async\{suspend, timeout};
$ch = new Async\Channel(1);
$s = (new Async\Scope)->allowZombies();
$s->spawn(function () use ($ch) { echo 'zombie gets ' . $ch->recv() . "\n"; });
suspend();
$s->dispose();
try { $s->awaitAfterCancellation(null, timeout(1)); } catch (Async\OperationCanceledException $e) { echo get_class($e->getPrevious()), "\n"; }
$ch->send('v');
$s->awaitAfterCancellation();
?>
--EXPECT--
Async\TimeoutException
zombie gets v
