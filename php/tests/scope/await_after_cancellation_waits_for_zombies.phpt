--TEST--
R-SCP-15: awaitAfterCancellation() waits for zombies too
--FILE--
<?php
use function Async\{delay, suspend};
$s = (new Async\Scope)->allowZombies();
$s->spawn(function () { delay(2); echo "zombie ends\n"; });
suspend();
$s->dispose();
$s->awaitAfterCancellation();
echo "waited\n";
?>
--EXPECT--
zombie ends
waited
