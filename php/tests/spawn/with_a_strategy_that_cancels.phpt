--TEST--
A strategy may cancel the coroutine before it is queued
--FILE--
<?php
use Async\{SpawnStrategy, Coroutine, Scope};
use function Async\{spawn_with, await};
require __DIR__ . '/../says.inc';
class S implements SpawnStrategy {
    public function provideScope(): ?Scope { return null; }
    public function beforeCoroutineEnqueue(Coroutine $c, Scope $s): array { return []; }
    public function afterCoroutineEnqueue(Coroutine $c, Scope $s): void { $c->cancel(); }
}
$c = spawn_with(new S, fn () => print("never\n"));
says(fn () => await($c));
?>
--EXPECT--
Async\AsyncCancellation: Coroutine cancelled
