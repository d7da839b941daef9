--TEST--
A destructor at the end of the script may await a coroutine
--FILE--
<?php
use function Async\{spawn, await, delay};
class Session {
    public function __destruct() {
        echo "closing\n";
        echo await(spawn(function () { delay(1); return "closed"; })), "\n";
    }
}
$session = new Session;
spawn(fn () => print("coroutine\n"));
?>
--EXPECT--
coroutine
closing
closed
