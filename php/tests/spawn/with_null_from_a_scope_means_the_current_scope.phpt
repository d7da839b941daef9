--TEST--
A provider that gives null spawns in the scope of the caller
--FILE--
<?php
use Async\{ScopeProvider, Scope};
use function Async\{spawn_with, delay, timeout};
class Current implements ScopeProvider { public function provideScope(): ?Scope { return null; } }
$s = new Scope;
$s->spawn(function () { spawn_with(new Current, function () { delay(1); echo "member\n"; }); });
$s->awaitCompletion(timeout(5000));
echo "complete\n";
?>
--EXPECT--
member
complete
