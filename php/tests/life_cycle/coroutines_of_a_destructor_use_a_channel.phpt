--TEST--
Coroutines that a destructor spawns at the end of the script use the objects that it made
--FILE--
<?php
use function Async\spawn;
class D {
    function __destruct()
    {
        $channel = new Async\Channel(1);
        spawn(function () use ($channel) { echo $channel->recv(), "\n"; });
        spawn(function () use ($channel) { $channel->send('of the destructor'); });
    }
}
$d = new D;
class Holder { public static $d; }
Holder::$d = new D;
?>
--EXPECT--
of the destructor
of the destructor
