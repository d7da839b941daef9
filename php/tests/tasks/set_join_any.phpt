--TEST--
joinAny() gives the next success
--FILE--
<?php
$s = new Async\TaskSet;
$s->spawn(fn () => throw new Exception('error'));
$s->spawn(fn () => 'value');
echo $s->joinAny()->await(), "\n";
$s->joinAll(ignoreErrors: true)->await();
$s->close();
$s->awaitCompletion();
var_dump($s->isFinished(), $s->isClosed());
?>
--EXPECT--
value
bool(true)
bool(true)
