--TEST--
R-SCP-17: finally handlers do not run when the coroutines have ended but the scope is open
--FILE--
<?php
use function Async\{suspend, timeout};
$s = new Async\Scope;
$s->finally(fn () => print("finally\n"));
$s->spawn(fn () => print("task\n"));
$s->awaitCompletion(timeout(5000));
suspend();
echo "still open\n";
$s->dispose();
suspend();
?>
--EXPECT--
task
still open
finally
