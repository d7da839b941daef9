--TEST--
A set removes what it delivers
--FILE--
<?php
use function Async\delay;
$s = new Async\TaskSet;
$s->spawn(function () { delay(200); return 'slow'; });
$s->spawn(fn () => 'fast');
$s->spawnWithKey('bad', fn () => throw new Exception('error'));
var_dump($s->joinNext()->await(), count($s));
try { $s->joinNext()->await(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
var_dump($s->joinAll()->await(), count($s));
try { $s->joinNext(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
string(4) "fast"
int(2)
error
array(1) {
  [0]=>
  string(4) "slow"
}
int(0)
Cannot race on an empty TaskSet
