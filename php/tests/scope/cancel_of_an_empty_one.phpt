--TEST--
cancel() of an empty scope closes it at once and runs its finally handlers
--FILE--
<?php
use function Async\suspend;
$s = new Async\Scope;
$s->finally(function ($given) use ($s) { echo "finally\n"; var_dump($given === $s); });
$s->cancel();
var_dump($s->isClosed());
suspend();
?>
--EXPECT--
bool(true)
finally
bool(true)
