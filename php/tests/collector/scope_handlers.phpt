--TEST--
A cycle through the handlers of a scope is collected, and disposes the scope
--FILE--
<?php
use function Async\{await, suspend};
require __DIR__ . '/node.inc';
class Server extends Node {
    public function __construct(string $name) {
        parent::__construct($name);
        $this->kept = new Async\Scope;
        $this->kept->setExceptionHandler(function ($scope, $coroutine, $error) { echo $error->getMessage(), "\n"; $this->stop(); });
        $this->kept->setChildScopeExceptionHandler(fn () => $this->stop());
        $this->kept->finally(fn ($scope) => $this->stop());
    }
    public function stop(): void { echo "stopped\n"; }
}
new Server('dropped');
$server = new Server('kept');
gc_collect_cycles();
suspend();
echo "collected\n";
gc_collect_cycles();
$server->kept->spawn(fn () => throw new Exception('failed'));
suspend();
suspend();
unset($server);
gc_collect_cycles();
suspend();
echo "collected\n";
gc_collect_cycles();
?>
--EXPECT--
dropped goes
stopped
collected
failed
stopped
kept goes
stopped
collected
