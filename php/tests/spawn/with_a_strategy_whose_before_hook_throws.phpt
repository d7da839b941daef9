--TEST--
When beforeCoroutineEnqueue() throws, the exception leaves spawn_with() and the body never runs
--FILE--
<?php
use Async\{SpawnStrategy, Coroutine, Scope};
use function Async\{spawn_with, suspend};
require __DIR__ . '/../says.inc';
class S implements SpawnStrategy {
    public function provideScope(): ?Scope { return null; }
    public function beforeCoroutineEnqueue(Coroutine $c, Scope $s): array { throw new LogicException('before'); }
    public function afterCoroutineEnqueue(Coroutine $c, Scope $s): void { echo "never\n"; }
}
says(fn () => spawn_with(new S, fn () => print("never\n")));
suspend();
echo "end\n";
?>
--EXPECT--
LogicException: before
end
