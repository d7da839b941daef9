--TEST--
When provideScope() throws, nothing is spawned
--FILE--
<?php
use Async\{ScopeProvider, Scope};
use function Async\{spawn_with, suspend, get_coroutines};
require __DIR__ . '/../says.inc';
class Broken implements ScopeProvider { public function provideScope(): ?Scope { throw new LogicException('no scope'); } }
suspend();
says(fn () => spawn_with(new Broken, fn () => print("never\n")));
var_dump(count(get_coroutines()));
?>
--EXPECT--
LogicException: no scope
int(1)
