--TEST--
A SpawnStrategy is called before and after its coroutine is queued
--FILE--
<?php
use function Async\{spawn_with, await};
class Strategy implements Async\SpawnStrategy {
    private Async\Scope $scope;
    public function __construct() { $this->scope = new Async\Scope; }
    public function provideScope(): ?Async\Scope { echo "provideScope\n"; return $this->scope; }
    public function beforeCoroutineEnqueue(Async\Coroutine $c, Async\Scope $s): array {
        echo "before, queued: ", json_encode($c->isQueued()), ", its scope: ", json_encode($s === $this->scope), "\n";
        return [];
    }
    public function afterCoroutineEnqueue(Async\Coroutine $c, Async\Scope $s): void {
        echo "after, queued: ", json_encode($c->isQueued()), "\n";
    }
}
$strategy = new Strategy;
await(spawn_with($strategy, function () { echo "body\n"; }));
?>
--EXPECT--
provideScope
before, queued: false, its scope: true
after, queued: true
body
