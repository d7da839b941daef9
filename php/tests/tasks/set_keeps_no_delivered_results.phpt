--TEST--
A TaskSet keeps no results and errors that it has delivered
--FILE--
<?php
class Result { public function __destruct() { echo "gone\n"; } }
class Failure extends Exception { public function __destruct() { echo "gone\n"; } }
$set = new Async\TaskSet;
$set->spawn(fn() => new Result);
$set->joinNext()->await();
gc_collect_cycles();
echo "after the result\n";
$set->spawn(function () { throw new Failure; });
try { $set->joinNext()->await(); } catch (Failure $e) { unset($e); }
gc_collect_cycles();
echo "after the error\n";
?>
--EXPECT--
gone
after the result
gone
after the error
