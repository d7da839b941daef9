--TEST--
A scope is finished when its coroutines have ended, and open for others
--FILE--
<?php
use function Async\{await, delay};
$s = new Async\Scope;
$c = $s->spawn(function () { delay(1); });
var_dump($s->isFinished());
await($c);
var_dump($s->isFinished(), $s->isClosed());
var_dump(await($s->spawn(fn () => 'another')));
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
string(7) "another"
