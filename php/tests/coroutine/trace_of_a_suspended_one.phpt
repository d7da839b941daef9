--TEST--
getTrace() shows the frames of a suspended coroutine, else null
--FILE--
<?php
use function Async\{spawn, suspend};
function inner($x) { suspend(); }
function outer() { inner(5); }
$c = spawn('outer');
var_dump($c->getTrace());
suspend();
foreach ($c->getTrace() as $f) echo $f['function'], ':', $f['line'] ?? '-', "\n";
echo count($c->getTrace(limit: 1)), "\n";
suspend();
var_dump($c->getTrace());
?>
--EXPECT--
NULL
Async\suspend:3
inner:4
outer:-
1
NULL
