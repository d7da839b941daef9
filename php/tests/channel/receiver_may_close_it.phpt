--TEST--
A receiver may close its channel while a sender waits
--FILE--
<?php
use function Async\{await, spawn};
$ch = new Async\Channel;
$sender = spawn(function () use ($ch) {
    try { for ($i = 1; ; ++$i) $ch->send($i); } catch (Async\ChannelException $e) { return "stopped at $i: " . $e->getMessage(); }
});
foreach ($ch as $value) { echo "$value\n"; if ($value === 2) $ch->close(); }
echo await($sender), "\n";
?>
--EXPECT--
1
2
stopped at 3: Channel is closed
