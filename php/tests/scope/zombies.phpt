--TEST--
A scope that allows zombies lets coroutines that have started finish
--FILE--
<?php
use function Async\suspend;
$s = (new Async\Scope)->allowZombies();
$s->spawn(function () { for ($i = 0; $i < 3; ++$i) suspend(); echo "zombie ends\n"; });
suspend();
$s->spawn(function () { echo "never starts\n"; });
$s->dispose();
var_dump($s->isCancelled());
?>
--EXPECT--
bool(true)
zombie ends
