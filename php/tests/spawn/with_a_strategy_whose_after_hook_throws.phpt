--TEST--
When afterCoroutineEnqueue() throws, the exception leaves spawn_with()
--FILE--
<?php
use Async\{SpawnStrategy, Coroutine, Scope};
use function Async\spawn_with;
require __DIR__ . '/../says.inc';
class S implements SpawnStrategy {
    public function provideScope(): ?Scope { return null; }
    public function beforeCoroutineEnqueue(Coroutine $c, Scope $s): array { return []; }
    public function afterCoroutineEnqueue(Coroutine $c, Scope $s): void { throw new LogicException('after'); }
}
says(fn () => spawn_with(new S, fn () => 1));
?>
--EXPECT--
LogicException: after
