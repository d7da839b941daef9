--TEST--
A resource whose destructor awaits is closed when a coroutine is cancelled
--FILE--
<?php
use function Async\{spawn, await, delay, suspend};
class Connection {
    public function __destruct() { await(spawn(function () { suspend(); echo "rollback sent\n"; })); echo "connection closed\n"; }
}
$c = spawn(function () { $connection = new Connection; delay(60000); });
suspend();
$c->cancel();
try { await($c); } catch (Async\AsyncCancellation) { echo "cancelled\n"; }
?>
--EXPECT--
rollback sent
connection closed
cancelled
