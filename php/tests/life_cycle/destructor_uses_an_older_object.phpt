--TEST--
A destructor at the end of the script uses objects that are older: a channel, a failed coroutine, a pool, a scope
--FILE--
<?php
use function Async\{spawn, suspend, await};
class Log {
    public static $one;
    function __construct(private $lines, private $failed, private $pool, private $scope, private $group) {}
    function __destruct()
    {
        try { await($this->failed); } catch (Exception $e) { echo "handled\n"; }
        var_dump($this->lines->sendAsync('bye'));
        echo $this->pool->acquire(), "\n";
        echo await($this->scope->spawn(fn () => 'in the scope')), "\n";
        $this->group->spawn(fn () => 'in the group');
        $this->group->close();
        echo implode(await($this->group->all())), "\n";
    }
}
$failed = spawn(fn () => throw new Exception('x'));
suspend();
$pool = new Async\Pool(fn () => 'resource', fn () => print("destroyed\n"));
Log::$one = new Log(new Async\Channel(1), $failed, $pool, new Async\Scope, new Async\TaskGroup);
unset($failed, $pool);
?>
--EXPECT--
handled
bool(true)
resource
in the scope
in the group
destroyed
