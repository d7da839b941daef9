--TEST--
A coroutine that holds the last variable of its own scope ends it when it ends
--FILE--
<?php
use function Async\suspend;
$s = new Async\Scope;
$s->finally(fn () => print("finally\n"));
$s->spawn(function () use ($s) { suspend(); echo "task\n"; });
unset($s);
suspend();
suspend();
suspend();
echo "end\n";
?>
--EXPECT--
task
finally
end
